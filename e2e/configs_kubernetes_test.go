package e2e

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/json"

	"github.com/otelcol-workers/otelcol-workers/e2e/collector"
	"github.com/otelcol-workers/otelcol-workers/e2e/harness"
)

// manifest is config/kubernetes.yaml.
type manifest struct {
	config  corev1.ConfigMap
	service corev1.Service
	gateway appsv1.StatefulSet
}

// readManifest fails if a field is not one of the Kubernetes API.
func readManifest(t *testing.T) manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(configDir(t), "kubernetes.yaml"))
	require.NoError(t, err)
	var m manifest
	into := map[string]any{"ConfigMap": &m.config, "Service": &m.service, "StatefulSet": &m.gateway}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		kind, _ := object["kind"].(string)
		require.Contains(t, into, kind)
		plain, err := stdjson.Marshal(object)
		require.NoError(t, err)
		unknown, err := json.UnmarshalStrict(plain, into[kind])
		require.NoError(t, err)
		require.Empty(t, unknown, kind)
		delete(into, kind)
	}
	require.Empty(t, into, "missing")
	return m
}

// kubernetesConfig writes the manifest's collector configuration to a file.
func kubernetesConfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(path, []byte(readManifest(t).config.Data["config.yaml"]), 0o600))
	return path
}

// The parts of the manifest fit each other and what they say about the collector.
func TestKubernetesManifest(t *testing.T) {
	m := readManifest(t)
	spec := m.gateway.Spec
	pod := spec.Template.Spec
	require.Len(t, pod.Containers, 1)
	container := pod.Containers[0]
	config := m.config.Data["config.yaml"]

	assert.EqualValues(t, 1, *spec.Replicas)
	assert.Equal(t, m.service.Name, spec.ServiceName)
	assert.Equal(t, spec.Selector.MatchLabels, spec.Template.Labels)
	assert.Equal(t, m.service.Spec.Selector, spec.Template.Labels)

	mounts := map[string]string{}
	for _, mount := range container.VolumeMounts {
		mounts[mount.Name] = mount.MountPath
	}
	assert.Equal(t, []string{"--config=" + mounts["config"] + "/config.yaml"}, container.Args)
	assert.Equal(t, m.config.Name, pod.Volumes[0].ConfigMap.Name)
	assert.Contains(t, config, ":-"+mounts["data"]+"}", "the state is not on the volume")
	assert.Equal(t, "data", spec.VolumeClaimTemplates[0].Name)

	ports := map[string]bool{}
	for _, port := range container.Ports {
		ports[port.Name] = true
		listens := strings.Contains(config, fmt.Sprintf("0.0.0.0:%d", port.ContainerPort)) ||
			strings.Contains(config, fmt.Sprintf("port: %d", port.ContainerPort))
		assert.True(t, listens, "nothing listens on %s, %d", port.Name, port.ContainerPort)
	}
	for _, port := range m.service.Spec.Ports {
		assert.True(t, ports[port.TargetPort.StrVal], port.TargetPort.StrVal)
	}
	for _, probe := range []*corev1.Probe{container.StartupProbe, container.ReadinessProbe, container.LivenessProbe} {
		assert.True(t, ports[probe.HTTPGet.Port.StrVal])
	}
}

func TestConfigKubernetes(t *testing.T) {
	dir := t.TempDir()
	c := harness.Collector(t, collector.Options{
		ConfigFile: kubernetesConfig(t),
		Dir:        dir,
		Env:        []string{"OTELCOL_WORKERS_DATA=" + dir},
		Set:        set(testPorts, testFlush, testScrape),
	})
	start := time.Now().Add(-time.Second)
	w := newPusher("http://"+c.Addr("http")).says("x-worker-id", "w1")
	assert.Equal(t, http.StatusOK, w.says("x-worker-state", "terminated").counts(t, start, 3).code)
	counted(t, c.Addr("prometheus"), 3)
	assert.Equal(t, http.StatusOK, newPusher("http://"+c.Addr("health")).send(t, http.MethodGet, "/", "").code)

	// The pod is replaced; the volume stays.
	require.NoError(t, c.Stop(harness.Context(t)))
	require.NoError(t, c.Restart(harness.Context(t)))
	assert.Equal(t, http.StatusOK, w.counts(t, start.Add(time.Millisecond), 2).code)
	counted(t, c.Addr("prometheus"), 5)
}
