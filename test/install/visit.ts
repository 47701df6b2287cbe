import { readdirSync, readFileSync, statSync } from 'node:fs';
import { proveIdentity } from '../../contract/account/account.ts';
import { createBackup, listBackups } from '../../contract/backups/backups.ts';
import { firstAccess } from '../../contract/session/session.ts';
import { connect, connectAs } from '../../e2e/api.ts';
import { until } from '../until.ts';

/* Uses an installation as its owner does on the first day, and prints the results as JSON. */
const URL = 'https://pedidos.tienda.es';
const OWNER = { email: 'ana@tienda.es', password: 'una clave de la tienda' };
const token = readFileSync('/run/enruta.log', 'utf8').match(/https:\/\/pedidos\.tienda\.es\/primer-acceso\/(\S+)/)?.[1] ?? '';
await until(
  () =>
    fetch(`${URL}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  () => 'not there behind the proxy',
  30,
);
const page = await fetch(URL);
const made = await connect(URL).call(firstAccess, { body: { token, full_name: 'Ana Dueña', ...OWNER } });
const owner = await connectAs(URL, OWNER);
await owner.call(proveIdentity, { body: { password: OWNER.password } });
const begun = await owner.call(createBackup);
const backups = async () => (await owner.call(listBackups)).body.data;
await until(
  async () => (await backups()).every(({ estado }) => estado !== 'en_curso'),
  () => 'the backup does not end',
);
const [processId] = readdirSync('/proc').filter(
  // The link /opt/enruta resolves to the folder of the version.
  (id) => /^\d+$/.test(id) && /\/opt\/enruta-[^/]+\/server\/program\/main\.js/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8')),
);
const status = readFileSync(`/proc/${processId}/status`, 'utf8');
console.log(
  JSON.stringify({
    page: page.status,
    https: page.headers.get('strict-transport-security'),
    made: [made.status, begun.status],
    backups: (await backups()).map(({ estado, verificacion }) => [estado, verificacion]),
    files: readdirSync('/var/lib/enruta/copias').length,
    rights: (statSync('/var/lib/enruta').mode & 0o777).toString(8),
    user: status.match(/^Uid:\s+(\d+)/m)?.[1],
    warnings: readFileSync('/run/enruta.log', 'utf8')
      .split('\n')
      .filter((line) => /"level":[456]0/.test(line)),
  }),
);
