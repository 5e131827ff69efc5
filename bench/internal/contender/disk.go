package contender

import (
	"context"

	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/extension/extensiontest"
)

// Disk is a host with the file_storage extension, as a collector has it.
type Disk struct {
	id  component.ID
	ext extension.Extension
}

// NewDisk opens a file_storage in the directory.
func NewDisk(dir string) (*Disk, error) {
	f := filestorage.NewFactory()
	cfg := f.CreateDefaultConfig().(*filestorage.Config)
	cfg.Directory = dir
	cfg.Compaction.Directory = dir
	ext, err := f.Create(context.Background(), extensiontest.NewNopSettings(f.Type()), cfg)
	if err != nil {
		return nil, err
	}
	return &Disk{id: component.NewID(f.Type()), ext: ext}, ext.Start(context.Background(), nil)
}

// Name is what a processor calls the storage in its settings.
func (d *Disk) Name() string { return d.id.String() }

// GetExtensions implements component.Host.
func (d *Disk) GetExtensions() map[component.ID]component.Component {
	return map[component.ID]component.Component{d.id: d.ext}
}

// Close lets go of the directory.
func (d *Disk) Close() error { return d.ext.Shutdown(context.Background()) }
