# The bundled Node and PostgreSQL need glibc. On a system with musl, such as Alpine, the shell would only say «not found».
has() {
	for path; do [ -e "$path" ] && return; done
	return 1
}
if has /lib/ld-musl-* && ! has /lib/ld-linux* /lib64/ld-linux*; then
	echo 'Enruta necesita glibc, y este sistema tiene musl (Alpine, por ejemplo): usa Debian, Ubuntu u otro sistema con glibc, o la imagen de contenedor.' >&2
	exit 1
fi
