#!/bin/sh
# Runs SCRIPT beside TARBALL, and then VISIT, in a throw-away copy of this machine: an overlay of the real file system,
# and a separate network. programs.sh stands in for systemd, apt and certbot.
# Usage: unshare --mount --net --pid --fork --kill-child room.sh FOLDER CHECKOUT TARBALL SCRIPT VISIT…
set -eu
folder=$1 checkout=$2 tarball=$3 script=$4
shift 4
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
root=$folder/root
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root$checkout"
mount --bind "$checkout" "$root$checkout"
ip link set lo up
rm -rf "$root/opt/enruta" "$root/var/lib/enruta" "$root/etc/enruta" "$root/etc/nginx/sites-enabled"
mkdir -p "$root/etc/nginx/sites-enabled" "$root/root/install" "$root/usr/local/bin"
cp "$tarball" "$root/root/install/"
cp "$script" "$root/root/install.sh"
for name in systemctl journalctl apt-get certbot; do cp "$(dirname "$0")/programs.sh" "$root/usr/local/bin/$name"; done
echo '127.0.0.1 pedidos.tienda.es' >>"$root/etc/hosts"
PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
chroot "$root" env -i PATH="$PATH" sh -euc 'cd /root/install && sh -eu /root/install.sh' >&2
chroot "$root" env -i PATH="$PATH" NODE_EXTRA_CA_CERTS=/etc/enruta/certificate.pem "$@"
