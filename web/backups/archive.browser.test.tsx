import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { getArchivo, listBackups, probarArchivo } from '../../contract/backups/backups.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { theSettings } from '../../test/web/samples.ts';

const ARCHIVO = {
  ...{ activo: true, hasta: '2026-11-27T17:02:00.000Z', mirado_at: '2026-11-27T17:03:00.000Z' },
  ...{ probado_at: '2026-11-27T04:23:00.000Z', probado_hasta: '2026-11-27T04:22:00.000Z', pedidos: 1234, error: null, probando: false },
};

test('«Base de datos» says until when the archive can restore, and tests it on request', async () => {
  server.reply(getSettings, () => ({ data: theSettings() }));
  server.reply(listBackups, () => ({ data: [] }));
  server.reply(getArchivo, () => ({ data: ARCHIVO }));
  server.reply(probarArchivo, () => asDone('Prueba en curso', { ...ARCHIVO, probando: true }));
  open('/configuracion?tab=database');
  await expect.element(page.getByText('Hasta el 27/11/2026 18:02 se puede volver, minuto a minuto')).toBeVisible();
  await expect.element(page.getByText(/1.234 pedidos/)).toBeVisible();
  server.reply(getArchivo, () => ({ data: { ...ARCHIVO, error: 'Falta de 12:04 a 12:11.' } }));
  await page.getByRole('button', { name: 'Probar ahora' }).click();
  await expect.element(page.getByText('La última prueba ha fallado. Falta de 12:04 a 12:11.')).toBeVisible();
  expect(server.asked(probarArchivo)).toHaveLength(1);
});
