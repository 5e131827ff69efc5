package deadworkerretain

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
)

// The README's configuration is the default one but for the storage, and its
// table has a row for every key.
func TestReadmeOfTheConfiguration(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, block)
	conf, err := confmap.NewRetrievedFromYAML(block[1])
	require.NoError(t, err)
	all, err := conf.AsConf()
	require.NoError(t, err)
	ours, err := all.Sub("processors::deadworkerretain")
	require.NoError(t, err)

	shown := &Config{}
	require.NoError(t, ours.Unmarshal(shown))
	want := createDefaultConfig().(*Config)
	storage := component.MustNewID("file_storage")
	want.Storage, want.Rules = &storage, []Rule{}
	assert.Equal(t, want, shown)

	for _, key := range keys(reflect.TypeFor[Config](), "") {
		assert.Contains(t, string(readme), "\n| `"+key+"` |", "no row")
	}
}

// keys are the names of all settings of a struct.
func keys(s reflect.Type, prefix string) []string {
	var all []string
	for f := range s.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("mapstructure"), ",")
		switch {
		case tag == "":
		case f.Type == reflect.TypeFor[Tombstones]():
			all = append(all, keys(f.Type, tag+"::")...)
		case f.Type == reflect.TypeFor[[]Rule]():
			all = append(append(all, tag), keys(f.Type.Elem(), tag+"[].")...)
		default:
			all = append(all, prefix+tag)
		}
	}
	return all
}
