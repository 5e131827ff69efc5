package workersdk

import (
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
)

func value(t *testing.T, r *resource.Resource, key attribute.Key) attribute.Value {
	t.Helper()
	v, ok := r.Set().Value(key)
	require.True(t, ok, "resource has no %s", key)
	return v
}

func TestResourceTellsWorkersApart(t *testing.T) {
	a, b := Resource(), Resource()
	for _, key := range []attribute.Key{"service.instance.id", "worker.incarnation"} {
		require.NoError(t, uuid.Validate(value(t, a, key).AsString()))
		assert.NotEqual(t, value(t, a, key), value(t, b, key))
	}
	for _, key := range []attribute.Key{"process.pid", "process.creation.time"} {
		assert.Equal(t, value(t, a, key), value(t, b, key))
	}
	assert.Equal(t, int64(os.Getpid()), value(t, a, "process.pid").AsInt64())
	born, err := time.Parse(time.RFC3339Nano, value(t, a, "process.creation.time").AsString())
	require.NoError(t, err)
	assert.False(t, born.After(time.Now()))
	assert.Less(t, value(t, a, "worker.incarnation").AsString(), value(t, b, "worker.incarnation").AsString(),
		"incarnations sort by time")
}

func TestResourceGivesWayToWhatTheUserSays(t *testing.T) {
	r := Resource(
		attribute.String("service.name", "shop"),
		attribute.String("service.instance.id", "mine"),
		attribute.String("worker.incarnation", "7"))
	assert.Equal(t, "shop", value(t, r, "service.name").AsString())
	assert.Equal(t, "mine", value(t, r, "service.instance.id").AsString())
	assert.Equal(t, "7", value(t, r, "worker.incarnation").AsString())
	value(t, r, "telemetry.sdk.name")
}
