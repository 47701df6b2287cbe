import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type ApiKey, listApiKeys } from '../../contract/api-keys/api-keys.ts';
import { apiKey } from '../../contract/api-keys/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { getUser } from '../../contract/session/session.ts';
import { createUser, deleteUser, listUsers, type User, updateUser } from '../../contract/users/users.ts';
import { address, expectAccessible, open, person, reload } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';
import { row, rows, textsOf } from '../../test/web/list.ts';
import { aUser, listed } from '../../test/web/samples.ts';

/* «Gestión de Usuarios»: users of each role; creating, editing and deleting them. */

let people: User[];
beforeEach(() => {
  people = [];
  server.reply(listUsers, ({ query }) => listed(people.filter(({ role }) => !query.role || role === query.role)));
  accept.new();
  accept.edit();
  accept.deletion();
});

const accept = {
  new: () =>
    server.reply(createUser, ({ body: { password: _, ...fields } }) => {
      const made = aUser(fields.role, fields);
      people = [...people, made];
      return asDone('Usuario creado', made);
    }),
  edit: () =>
    server.reply(updateUser, ({ params, body }) => {
      const { password: _, pedidos_a: __, revocar_claves: ____, reset_second_factor, version: ___, ...fields } = body;
      people = people.map((person) =>
        person.id === params.id
          ? { ...person, ...(fields as Partial<User>), second_factor: person.second_factor && !reset_second_factor }
          : person,
      );
      return asDone('Usuario actualizado', people.find(({ id }) => id === params.id) as User);
    }),
  deletion: () =>
    server.reply(deleteUser, ({ params }) => {
      people = people.filter(({ id }) => id !== params.id);
      return { success: true as const, message: 'Usuario eliminado' };
    }),
};

const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
const dialog = page.getByRole('dialog');
const field = (label: string) => dialog.getByLabelText(new RegExp(`^${label}( \\*)?$`));
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name });
const expectAlert = (sentence: string) => expect.element(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
async function create() {
  await button('Crear revendedor').first().click();
  await dialog.getByRole('radio', { name: 'Pongo yo su contraseña' }).click();
}
async function fillIn(values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await field(label).fill(value);
}

test('the form of a new person shows each refusal under its field, and keeps the typed values', async () => {
  open('/gestion-usuarios');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Gestión de Usuarios' })).toBeVisible();
  await expect.element(page.getByText('No hay revendedores registrados')).toBeVisible();
  await expect.element(page.getByText('Crea el primer revendedor para comenzar')).toBeVisible();
  await expectAccessible();

  await create();
  await expect.element(dialog.getByRole('switch', { name: /^Activo/ })).toBeChecked();
  await expect.element(field('Contraseña')).toHaveAttribute('autocomplete', 'new-password');
  await field('Contraseña').fill('corta');
  await press('Crear revendedor');
  await expect.element(field('Nombre completo')).toHaveAccessibleDescription('El nombre debe tener al menos 2 caracteres');
  await expect.element(field('Email')).toHaveAccessibleDescription('Email inválido');
  await expect.element(field('Contraseña')).toHaveAccessibleDescription(/La contraseña debe tener al menos 6 caracteres/);
  await expect.element(field('Nombre completo')).toHaveFocus();
  await expectAccessible();

  await fillIn({ 'Nombre completo': 'Rita Revendedora', Email: 'rita@enruta.test', Usuario: 'rita', Contraseña: 'clave de rita' });
  await expect.element(field('Contraseña')).toHaveAttribute('type', 'password');
  await press('Mostrar la contraseña');
  await expect.element(field('Contraseña')).toHaveAttribute('type', 'text');
  server.refuse(createUser, 422, { message: 'Revisa los datos', errors: { email: ['El email ya está en uso'] } });
  await press('Crear revendedor');
  await expect.element(field('Email')).toHaveAccessibleDescription('El email ya está en uso');
  await expect.element(field('Email')).toHaveFocus();
  await expectAlert('El email ya está en uso');
  server.refuse(createUser, 422, { message: 'El usuario ya está en uso', errors: { username: ['El usuario ya está en uso'] } });
  await press('Crear revendedor');
  await expect.element(field('Usuario')).toHaveAccessibleDescription(/El usuario ya está en uso/);
  await expectAlert('El usuario ya está en uso');
  server.refuse(createUser, 403, { message: 'No' });
  await press('Crear revendedor');
  await expectAlert('Solo los superadministradores pueden crear usuarios');
  await expect.element(field('Nombre completo')).toHaveValue('Rita Revendedora');
  await expect.element(field('Contraseña')).toHaveValue('clave de rita');

  accept.new();
  await press('Crear revendedor');
  await expect.element(page.getByText('Usuario creado')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(createUser).at(-1)?.body).toEqual(
    expect.objectContaining({ full_name: 'Rita Revendedora', email: 'rita@enruta.test', password: 'clave de rita', role: 'revendedor' }),
  );
  await expect.element(row('Rita Revendedora')).toMatchTextContent(/rita@enruta\.test.*Sí/);
  await expectAccessible();
});

test('the list of users shows activity and last access, and refreshes when a user is created', async () => {
  people = [
    aUser('revendedor', {
      full_name: 'Inés Inactiva',
      is_active: false,
      username: 'ines',
      // 00:30 on the 11th in Madrid, but still the 10th in New York.
      created_at: '2026-03-10T23:30:00Z',
      last_access_at: '2026-05-02T10:05:00Z',
    }),
    aUser('revendedor', { full_name: 'Nora Nueva' }),
  ];
  open('/gestion-usuarios');
  await expect.element(row('Inés Inactiva')).toMatchTextContent(/Usuario: ines.*No.*02\/05\/2026,? 12:05.*11\/03\/2026/);
  await expect.element(row('Nora Nueva')).toMatchTextContent(/Sí.*Nunca/);
  await expect.element(page.getByText('2 revendedores, 1 sin acceso')).toBeVisible();
  people = [...people, aUser('revendedor', { full_name: 'Aurora Aparecida' })];
  window.dispatchEvent(new CustomEvent('user-created'));
  await expect.element(row('Aurora Aparecida')).toBeVisible();
});

test('editing a user keeps the password unless a valid one is typed, and deleting needs a confirmation', async () => {
  people = [aUser('transportista', { full_name: 'Tomás Antes', email: 'tomas@enruta.test' })];
  open('/gestion-usuarios?rol=transportista');
  await button('Editar a Tomás Antes').click();
  await expect.element(dialog.getByRole('heading', { name: 'Editar transportista' })).toBeVisible();
  await expect.element(field('Email')).toHaveValue('tomas@enruta.test');
  await expect.element(field('Contraseña')).toHaveAttribute('placeholder', 'Dejar vacío para mantener la actual');
  await expectAccessible();
  await fillIn({ 'Nombre completo': 'Tomás Después', Usuario: 'tomas' });
  await press('Guardar cambios');
  await expect.element(page.getByText('Usuario actualizado')).toBeVisible();
  expect(server.asked(updateUser)[0]?.body).toMatchObject({ full_name: 'Tomás Después', username: 'tomas', version: 1 });
  expect(server.asked(updateUser)[0]?.body).not.toHaveProperty('password');
  await expect.element(row('Tomás Después')).toMatchTextContent('Usuario: tomas');
  await expect.element(row('Tomás Antes')).not.toBeInTheDocument();

  server.refuse(updateUser, 403, { message: 'No' });
  await button('Editar a Tomás Después').click();
  await field('Contraseña').fill('12345');
  await press('Guardar cambios');
  await expect.element(field('Contraseña')).toHaveAccessibleDescription(/La contraseña debe tener al menos 6 caracteres/);
  await field('Contraseña').fill('clave nueva de tomás');
  await dialog.getByRole('switch', { name: /^Activo/ }).click();
  await expect.element(dialog.getByRole('switch', { name: /^Activo/ })).not.toBeChecked();
  await press('Guardar cambios');
  await expectAlert('Solo los superadministradores pueden editar usuarios');
  accept.edit();
  await press('Guardar cambios');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(updateUser).at(-1)?.body).toMatchObject({ password: 'clave nueva de tomás', is_active: false });
  await expect.element(row('Tomás Después')).toMatchTextContent('No');

  await button('Eliminar a Tomás Después').click();
  await expect.element(dialog.getByRole('heading', { name: 'Eliminar Usuario' })).toBeVisible();
  for (const words of ['Tomás Después', 'Esta acción no se puede deshacer', 'ya no podrá acceder al sistema'])
    await expect.element(dialog).toMatchTextContent(words);
  await expectAccessible();
  await press('Cancelar');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(deleteUser)).toEqual([]);

  await button('Eliminar a Tomás Después').click();
  server.refuse(deleteUser, 403, { message: 'No' });
  await press('Eliminar');
  await expectAlert('Solo los superadministradores pueden eliminar usuarios');
  server.refuse(deleteUser, 409, { message: 'Tomás Después tiene 1 pedido sin entregar' });
  await press('Eliminar');
  await expectAlert('Tomás Después tiene 1 pedido sin entregar');
  await expect.element(row('Tomás Después')).toBeVisible();
  accept.deletion();
  await press('Eliminar');
  await expect.element(page.getByText('Usuario eliminado')).toBeVisible();
  await expect.element(row('Tomás Después')).not.toBeInTheDocument();
});

test('deactivating or deleting a person lists the valid API keys that the person created, and can revoke them', async () => {
  const eva = aUser('superadmin', { full_name: 'Eva Sale' });
  people = [eva];
  const key = (fields: Partial<ApiKey>): ApiKey => ({ ...(emptyOf(apiKey) as ApiKey), creada_por_id: eva.id, ...fields });
  const revocada_at = '2026-11-20T10:00:00Z';
  server.answer(listApiKeys, {
    data: [key({ nombre: 'ERP' }), key({ nombre: 'Otra', creada_por_id: null }), key({ nombre: 'Vieja', revocada_at })],
  });
  open('/gestion-usuarios?rol=superadmin');
  await button('Eliminar a Eva Sale').click();
  const note = dialog.getByRole('note');
  await expect.element(note).toMatchTextContent(/Hizo 1 clave de API que sigue valiendo/);
  expect(textsOf(note.getByRole('listitem'))).toEqual(['ERP (sin usar)']);
  await expectAccessible();
  await press('Cancelar');
  await expect.element(dialog).not.toBeInTheDocument();

  await button('Editar a Eva Sale').click();
  await dialog.getByRole('switch', { name: /^Activo/ }).click();
  await note.getByRole('checkbox', { name: 'Revocarla también' }).click();
  await press('Guardar cambios');
  await expect.element(page.getByText('Usuario actualizado')).toBeVisible();
  expect(server.asked(updateUser)[0]?.body).toMatchObject({ is_active: false, revocar_claves: true });

  await button('Eliminar a Eva Sale').click();
  await note.getByRole('checkbox', { name: 'Revocarla también' }).click();
  await press('Eliminar');
  await expect.element(page.getByText('Usuario eliminado')).toBeVisible();
  expect(server.asked(deleteUser)[0]?.query).toEqual({ revocar_claves: 'si' });
});

test('the focus stays inside the dialog of a user, and returns to the button that opened the dialog', async () => {
  people = [aUser('revendedor', { full_name: 'Teo Teclado' })];
  open('/gestion-usuarios');
  await expect.element(row('Teo Teclado')).toBeVisible();
  (button('Editar a Teo Teclado').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Nombre completo')).toHaveFocus();
  for (let i = 0; i < 12; i++) {
    await userEvent.tab();
    expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull();
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button('Editar a Teo Teclado')).toHaveFocus();

  (row('Teo Teclado').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Nombre completo')).toHaveValue('Teo Teclado');
  await press('Cancelar');
  await expect.element(dialog).not.toBeInTheDocument();

  const question = page.getByRole('dialog', { name: 'Descartar los cambios' });
  await create();
  await field('Nombre completo').fill('Marta a Medias');
  await userEvent.keyboard('{Escape}');
  await expect.element(question).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(field('Nombre completo')).toHaveValue('Marta a Medias');
  await expect.element(field('Nombre completo')).toHaveFocus();
  await press('Cancelar');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button('Crear revendedor').first()).toHaveFocus();
});

test('open orders link to their list, and can be handed over when a carrier is deactivated or deleted', async () => {
  const [olga, luis] = ['Olga Marcha', 'Luis Hereda'].map((full_name) => aUser('transportista', { full_name, pedidos_abiertos: 2 }));
  people = [
    olga,
    luis,
    aUser('transportista', { full_name: 'Luis Hermoso', is_active: false }),
    aUser('transportista', { full_name: 'Lola Libre' }),
  ] as User[];
  open('/gestion-usuarios?rol=transportista');
  await expect.element(row('Lola Libre')).toMatchTextContent(/Sí0Nunca/);
  await button('Editar a Olga Marcha').click();
  await expect.element(dialog.getByRole('note')).not.toBeInTheDocument();
  await dialog.getByRole('switch', { name: /^Activo/ }).click();
  await expect.element(dialog.getByRole('note')).toMatchTextContent('Tiene 2 pedidos abiertos');
  await expectAccessible();
  await dialog.getByRole('combobox', { name: 'Pasarlos a' }).fill('luis h');
  await expect.poll(() => textsOf(page.getByRole('option'))).toEqual(['Luis Hereda']);
  await page.getByRole('option', { name: 'Luis Hereda' }).click();
  await press('Guardar cambios');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.asked(updateUser)[0]?.body).toMatchObject({ is_active: false, pedidos_a: luis?.id });

  await button('Eliminar a Olga Marcha').click();
  await expect.element(dialog.getByRole('note')).toMatchTextContent('Tiene 2 pedidos abiertos');
  await dialog.getByRole('combobox', { name: 'Pasarlos a' }).fill('hereda');
  await page.getByRole('option', { name: 'Luis Hereda' }).click();
  await press('Eliminar');
  await expect.element(page.getByText('Usuario eliminado')).toBeVisible();
  expect(server.asked(deleteUser)).toEqual([expect.objectContaining({ params: { id: olga?.id }, query: { pedidos_a: luis?.id } })]);

  await page.getByRole('link', { name: '2 pedidos abiertos de Luis Hereda' }).click();
  await expect.poll(address).toContain(`transportista_id=${luis?.id}`);
  expect(decodeURIComponent(address())).toContain('estado=asignado,en_proceso,en_ruta');
});

test('superadmins can rename themselves in the list of users, but not delete or deactivate themselves', async () => {
  people = [aUser('superadmin', { ...person('superadmin') }), aUser('superadmin', { full_name: 'Berta Segunda' })];
  open('/gestion-usuarios?rol=superadmin');
  await expect.element(row('Ada Ruiz')).toMatchTextContent('Tú');
  await expect.element(button('Eliminar a Berta Segunda')).toBeVisible();
  await expect.element(button('Eliminar a Ada Ruiz')).not.toBeInTheDocument();
  await button('Editar a Ada Ruiz').click();
  await expect.element(dialog.getByRole('switch', { name: /^Activo/ })).toBeDisabled();
  await expect.element(dialog).toMatchTextContent('Tu contraseña se cambia en «Mi cuenta».');
  await expect.element(field('Contraseña')).not.toBeInTheDocument();
  await field('Nombre completo').fill('Ada Renombrada');
  server.reply(getUser, () => ({ user: { ...person('superadmin'), full_name: people[0]?.full_name ?? '' }, negocio }));
  await press('Guardar cambios');
  await expect.element(row('Ada Renombrada')).toBeVisible();
  await expect.element(page.getByRole('banner').getByRole('button', { name: /Ada Renombrada/ })).toBeVisible();
});

test('a second factor is removed after confirmation, and disappears from the form', async () => {
  people = [aUser('revendedor', { full_name: 'Rita Sin Móvil', second_factor: true })];
  open('/gestion-usuarios');
  await button('Editar a Rita Sin Móvil').click();
  await press('Quitar el segundo factor');
  const question = page.getByRole('dialog', { name: 'Quitar el segundo factor' });
  await expect.element(question).toMatchTextContent('Rita Sin Móvil podrá entrar solo con su contraseña');
  await question.getByRole('button', { name: 'Quitar', exact: true }).click();
  await expect.element(page.getByText('Segundo factor quitado')).toBeVisible();
  await expect.element(button('Quitar el segundo factor')).not.toBeInTheDocument();
  expect(server.asked(updateUser).map(({ body }) => body)).toEqual([{ reset_second_factor: true }]);
});

test('the address keeps tab, search and sort order of the users, and the search ignores accents', async () => {
  people = [
    aUser('transportista', { full_name: 'Nuño Árbol', email: 'a@enruta.test' }),
    aUser('transportista', { full_name: 'Zoe Zarza', email: 'z@enruta.test' }),
  ];
  open('/gestion-usuarios?sort=email&dir=desc');
  await page.getByRole('tab', { name: 'Transportistas' }).click();
  await expect.poll(address).toContain('rol=transportista');
  reload();
  await expect.element(page.getByRole('tab', { name: 'Transportistas' })).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => textsOf(rows())).toEqual([expect.stringContaining('Zoe Zarza'), expect.stringContaining('Nuño Árbol')]);
  await page.getByRole('searchbox').fill('nuno arbol');
  await expect.element(row('Zoe Zarza')).not.toBeInTheDocument();
  await expect.element(row('Nuño Árbol')).toBeVisible();
  await expect.poll(address).toContain('search=nuno');
  await page.getByRole('searchbox').fill('nadie así');
  await expect.element(page.getByText('Ningún transportista coincide con la búsqueda')).toBeVisible();
  await expect.poll(address).toContain('search=nadie');
  reload();
  await expect.element(page.getByRole('searchbox')).toHaveValue('nadie así');
});

test('the list of users shows that it is loading, and offers a retry after a failure', async () => {
  server.refuse(listUsers, 500, { message: 'Ha ocurrido un error inesperado' });
  const answer = server.hold(listUsers);
  open('/gestion-usuarios');
  await expect.element(page.getByText('Cargando usuarios...')).toBeVisible();
  answer();
  await expect.element(page.getByText('No se pudieron cargar los usuarios')).toBeVisible();
  await expectAccessible();
  server.answer(listUsers, listed([aUser('revendedor', { full_name: 'Lara Lenta' })]));
  await button('Reintentar').click();
  await expect.element(row('Lara Lenta')).toBeVisible();
  await expect.element(page.getByText('No se pudieron cargar los usuarios')).not.toBeInTheDocument();
});

test('a reseller who opens «Gestión de Usuarios» is redirected home', async () => {
  open('/gestion-usuarios', 'revendedor');
  await expect.poll(address).toBe('/revendedor-dashboard');
});
