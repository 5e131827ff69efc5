#!/bin/bash
# dist.sh: build release archives for Linux on amd64 and arm64 into dist/release/,
# with checksums and the licences of everything that is in the binary. VERSION
# overrides the version of builder-config.yaml. Equal sources give equal archives.
set -euo pipefail
cd "$(dirname "$0")/.."

OTEL_VERSION=${OTEL_VERSION:-v0.161.0}
version=${VERSION:-$(sed -n 's/^  version: //p' builder-config.yaml)}
sources=.cache/release
out=dist/release
# The times in the archives: those of the last commit.
epoch=${SOURCE_DATE_EPOCH:-$(git -c safe.directory="$PWD" log -1 --format=%ct 2>/dev/null || echo 0)}

rm -rf "$sources" "$out"
mkdir -p "$sources" "$out"
sed -e "s/^  version: .*/  version: $version/" -e "s|^  output_path: .*|  output_path: ./$sources|" builder-config.yaml >"$sources/builder-config.yaml"
echo "Generating the collector, version $version"
go run "go.opentelemetry.io/collector/cmd/builder@$OTEL_VERSION" --config="$sources/builder-config.yaml" --skip-compilation

for arch in amd64 arm64; do
	name=otelcol-workers_${version}_linux_$arch
	dir=$sources/$name
	mkdir -p "$dir"
	echo "Building $name"
	(cd "$sources" && CGO_ENABLED=0 GOOS=linux GOARCH=$arch go build -trimpath -buildvcs=false -ldflags='-s -w' -o "$name/otelcol-workers" .)
	go run ./packaging/licences -binary "$dir/otelcol-workers" -modules "$sources" -out "$dir/licences"
	cp LICENSE CHANGELOG.md packaging/README.md "$dir/"
	cp -r config packaging/systemd "$dir/"
	tar --create --directory="$sources" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner \
		--mode='u+rwX,go+rX,go-w' "$name" | gzip --no-name --best >"$out/$name.tar.gz"
	cp "$dir/licences/licences.csv" "$out/$name.licences.csv"
done
(cd "$out" && sha256sum ./*.tar.gz >SHA256SUMS)
ls -l "$out"
