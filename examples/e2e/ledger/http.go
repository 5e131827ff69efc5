package ledger

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"

	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
)

func (l *Ledger) export(w http.ResponseWriter, r *http.Request) {
	if l.away.Load() {
		l.books.refuse()
		http.Error(w, "away", http.StatusServiceUnavailable)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil { // the worker died in the middle of its push
		return
	}
	push, err := decode(r.Header, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// The worker may die before the answer comes. The push counts all the same.
	request, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), http.MethodPost,
		l.upstream.url+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	request.Header = r.Header.Clone()
	response, err := l.upstream.client.Do(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		l.books.enter(push, r.Header.Get("x-worker-state") == "terminated")
	} else {
		l.books.refuse()
	}
	maps.Copy(w.Header(), response.Header)
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, response.Body)
}

func decode(header http.Header, body []byte) (pmetricotlp.ExportRequest, error) {
	push := pmetricotlp.NewExportRequest()
	if header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return push, err
		}
		if body, err = io.ReadAll(unzipped); err != nil {
			return push, err
		}
	}
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case err != nil:
		return push, err
	case kind == "application/json":
		return push, push.UnmarshalJSON(body)
	case kind == "application/x-protobuf":
		return push, push.UnmarshalProto(body)
	default:
		return push, fmt.Errorf("ledger: content type is %q, expected application/json or application/x-protobuf", kind)
	}
}
