package memstorage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.opentelemetry.io/collector/extension/xextension/storage"
)

type client struct {
	extension *Extension
	bucket    string
}

func (c *client) Get(ctx context.Context, key string) ([]byte, error) {
	op := storage.GetOperation(key)
	err := c.Batch(ctx, op)
	return op.Value, err
}

func (c *client) Set(ctx context.Context, key string, value []byte) error {
	return c.Batch(ctx, storage.SetOperation(key, value))
}

func (c *client) Delete(ctx context.Context, key string) error {
	return c.Batch(ctx, storage.DeleteOperation(key))
}

// Batch applies all operations or none.
func (c *client) Batch(_ context.Context, ops ...*storage.Operation) error {
	c.extension.mu.Lock()
	defer c.extension.mu.Unlock()
	if c.extension.failing {
		return ErrFails
	}
	return apply(c.extension.content[c.bucket], ops)
}

func apply(bucket map[string][]byte, ops []*storage.Operation) error {
	for _, op := range ops {
		switch op.Type {
		case storage.Get:
			op.Value = slices.Clone(bucket[op.Key])
		case storage.Set:
			bucket[op.Key] = slices.Clone(op.Value)
		case storage.Delete:
			delete(bucket, op.Key)
		default:
			return fmt.Errorf("operation type %d is unknown", op.Type)
		}
	}
	return nil
}

// Walk implements [storage.Walker].
func (c *client) Walk(_ context.Context, fn storage.WalkFunc) error {
	c.extension.mu.Lock()
	defer c.extension.mu.Unlock()
	if c.extension.failing {
		return ErrFails
	}
	bucket := c.extension.content[c.bucket]
	var ops []*storage.Operation
	for _, key := range slices.Sorted(maps.Keys(bucket)) {
		more, err := fn(key, slices.Clone(bucket[key]))
		ops = append(ops, more...)
		if errors.Is(err, storage.SkipAll) {
			break
		}
		if err != nil {
			return err
		}
	}
	return apply(bucket, ops)
}

func (c *client) Close(context.Context) error { return nil }
