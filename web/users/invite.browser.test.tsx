import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getUser } from '../../contract/session/session.ts';
import { getRed, type Red, setRed } from '../../contract/settings/settings.ts';
import { inviteUser, listUsers, renewInvitation, type User, withdrawInvitation } from '../../contract/users/users.ts';
import { expectAccessible, open, person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { aUser, listed } from '../../test/web/samples.ts';

/* Inviting a person by a link instead of a password. */

const NEGOCIO = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
const UNTIL = '2026-12-02T09:30:00.000Z';
const dialog = page.getByRole('dialog');
const field = (label: string) => dialog.getByLabelText(new RegExp(`^${label}( \\*)?$`));
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();

let people: User[];
let serial: number;
let copied: string[];
beforeEach(() => {
  [people, serial, copied] = [[], 0, []];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  server.reply(listUsers, ({ query }) => listed(people.filter(({ role }) => !query.role || role === query.role)));
  const linked = (user: User, correo = false) => {
    people = [...people.filter(({ id }) => id !== user.id), user];
    serial += 1;
    return { user, enlace: `/invitacion/enlace-${serial}`, correo };
  };
  server.reply(inviteUser, ({ body }) =>
    asDone('Invitación creada', linked(aUser(body.role, { ...body, invited: true, invite_until: UNTIL }), body.email.startsWith('correo'))),
  );
  let red: Red = { publica: null, abierta: false, siempre: false, puede: true, direcciones: ['http://192.168.1.5:3000'] };
  server.reply(getRed, () => ({ data: red }));
  server.reply(setRed, ({ body }) => {
    red = { ...red, abierta: body.abierta };
    server.answer(getUser, { user: person('superadmin'), negocio: { ...NEGOCIO, direccion: 'http://192.168.1.5:3000' } });
    return asDone('Ya se puede abrir desde el teléfono', red);
  });
  const found = (id: string) => people.find((person) => person.id === id) as User;
  server.reply(renewInvitation, ({ params }) => asDone('Enlace nuevo', linked({ ...found(params.id), invite_until: UNTIL })));
  server.reply(withdrawInvitation, ({ params }) => asDone('Invitación anulada', linked({ ...found(params.id), invite_until: null }).user));
});

async function byLink() {
  await page.getByRole('button', { name: 'Crear revendedor' }).first().click();
}
async function invite(email: string) {
  await byLink();
  await field('Nombre completo').fill('Rita Sanz');
  await field('Email').fill(email);
  await press('Invitar');
}

test('an invitation link can be renewed or withdrawn', async () => {
  people = [aUser('revendedor', { full_name: 'Rita Sanz', invited: true, invite_until: UNTIL })];
  open('/gestion-usuarios');
  const invitation = () => row('Rita Sanz').getByRole('button', { name: 'Invitación de Rita Sanz' }).click();
  await invitation();
  await press('Copiar enlace de nuevo');
  // Opened under this machine's own name, and closed to others: nothing is copied.
  await expect.element(dialog.getByText('Aún solo se abre en este ordenador.')).toBeVisible();
  await expect.element(dialog.getByRole('link', { name: 'Abrirla en este ordenador' })).toHaveAttribute('href', '/invitacion/enlace-1');
  expect([copied, dialog.getByLabelText('Enlace de la invitación').elements()]).toEqual([[], []]);
  await press('Listo');
  await invitation();
  await press('Anular');
  await expect.element(row('Rita Sanz').getByText(/su enlace ya no vale/)).toBeVisible();
  await invitation();
  await expect.element(dialog.getByRole('button', { name: 'Anular' })).not.toBeInTheDocument();
});

test('a person is invited by link or mail, and typed values survive a switch between link and password', async () => {
  people = [aUser('revendedor', { full_name: 'Ana Gil' }), aUser('revendedor', { full_name: 'Rosa Gil', invited: true, is_active: false })];
  open('/gestion-usuarios');
  await expect.element(row('Rosa Gil')).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Invitación de/ })).not.toBeInTheDocument();

  await page.getByRole('button', { name: 'Crear revendedor' }).first().click();
  await field('Nombre completo').fill('Rita Sanz');
  await expect.element(dialog.getByRole('radio').first()).toBeChecked();
  await expectAccessible();
  await press('Invitar');
  await expect.element(field('Email')).toHaveAccessibleDescription('Email inválido');
  await field('Email').fill('rita@tienda.es');
  await dialog.getByRole('radio', { name: 'Pongo yo su contraseña' }).click();
  await expect.element(field('Email')).toHaveValue('rita@tienda.es');
  await expect.element(dialog.getByRole('button', { name: 'Crear revendedor' })).toBeVisible();
  await dialog.getByRole('radio', { name: 'Le invito por WhatsApp o un enlace' }).click();
  await press('Invitar');
  // A link that only this machine opens is not sent; its place has the way to open it.
  await expect.element(dialog.getByRole('button', { name: 'Abrir en esta wifi' })).toBeVisible();
  await expect.element(dialog.getByRole('link', { name: 'WhatsApp' })).not.toBeInTheDocument();
  await press('Abrir en esta wifi');
  const link = 'http://192.168.1.5:3000/invitacion/enlace-1';
  await expect.element(dialog.getByLabelText('Enlace de la invitación')).toHaveValue(link);
  await expect.element(dialog.getByText('Pásale este enlace a Rita Sanz')).toBeVisible();
  await expectAccessible();
  await expect
    .element(dialog.getByRole('link', { name: 'WhatsApp' }))
    .toHaveAttribute('href', expect.stringContaining(encodeURIComponent(link)));
  await press('Copiar enlace');
  await expect.element(page.getByRole('button', { name: 'Copiado ✓' })).toBeVisible();
  expect(copied).toEqual([link]);
  await press('Listo');
  await expect.element(row('Rita Sanz').getByText(/Invitado, aún no ha entrado/)).toBeVisible();
  expect(server.asked(inviteUser).map(({ body }) => body)).toEqual([
    expect.objectContaining({ full_name: 'Rita Sanz', email: 'rita@tienda.es', role: 'revendedor' }),
  ]);

  await invite('correo@tienda.es');
  await expect.element(dialog.getByText('Se envía por correo a correo@tienda.es')).toBeVisible();
});
