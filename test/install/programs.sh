#!/bin/sh
# Stand-ins for systemd, apt and certbot on a machine without systemd and network.
set -eu
unit=/etc/systemd/system/enruta.service
log=/run/enruta.log
of_unit() { sed -n "s/^$1=//p" "$unit"; }
case "$(basename "$0") $*" in
'systemctl enable --now enruta')
	id=61184
	# Adds a name, as nss-systemd does, because PostgreSQL refuses a user without a name.
	echo "enruta:x:$id:$id::/:/usr/sbin/nologin" >>/etc/passwd
	state=/var/lib/$(of_unit StateDirectory)
	[ "$(of_unit DynamicUser)" = yes ]
	install --directory --owner=$id --group=$id --mode="$(of_unit StateDirectoryMode)" "$state"
	variables=$(of_unit Environment; cat "$(of_unit EnvironmentFile | sed 's/^-//')")
	umask "$(of_unit UMask)"
	cd /
	# shellcheck disable=SC2046,SC2086
	setpriv --reuid=$id --regid=$id --clear-groups --no-new-privs --bounding-set=-all \
		env -i PATH="$PATH" $variables $(of_unit ExecStart) >"$log" 2>&1 &
	;;
'journalctl --unit enruta '*) cat "$log" ;;
'apt-get install '*nginx*) nginx ;;
'systemctl reload nginx') nginx -s reload ;;
'certbot --nginx --domain '*)
	openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj "/CN=$3" -addext "subjectAltName=DNS:$3" \
		-keyout /etc/enruta/key.pem -out /etc/enruta/certificate.pem 2>/dev/null
	sed -i 's|listen 80;|listen 443 ssl; ssl_certificate /etc/enruta/certificate.pem; ssl_certificate_key /etc/enruta/key.pem;|' \
		/etc/nginx/conf.d/enruta.conf
	nginx -s reload
	;;
*)
	echo "$(basename "$0") $*: not known here" >&2
	exit 1
	;;
esac
