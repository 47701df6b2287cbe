import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  type Account,
  changePassword,
  closeOtherSessions,
  confirmSecondFactor,
  getAccount,
  listSessions,
  type OwnSession,
  proveIdentity,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../contract/account/account.ts';
import { account as accountSchema } from '../../contract/account/schemas.ts';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import type { Role } from '../../contract/policy/policy.ts';
import type { Pending } from '../../contract/session/fields.ts';
import { getUser } from '../../contract/session/session.ts';
import { address, expectAccessible, open, person } from '../../test/web/app.tsx';
import { emptyOf } from '../../test/web/empty-answer.ts';
import { emptyAnswer, server } from '../../test/web/fake-server.ts';

/* «Mi cuenta»: password, second factor, sessions, and the pending steps that block every other screen. */

const done = { success: true, message: 'Hecho' } as const;
const CODES = Array.from({ length: 10 }, (_, i) => `aaaa-bbb${i}`);
let account: Account;
beforeEach(() => {
  account = {
    ...(emptyOf(accountSchema) as Account),
    email: 'revendedor@enruta.test',
    password_changed_at: '2026-03-10T10:00:00Z',
  };
  server.reply(getAccount, () => ({ data: account }));
  server.answer(startSecondFactor, {
    secret: 'ABCDEFGHIJKL',
    uri: 'otpauth://totp/Enruta',
    qr: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  });
  acceptCode();
  server.answer(renewRecoveryCodes, { ...done, recovery_codes: CODES });
  server.reply(removeSecondFactor, () => {
    account = { ...account, second_factor: false };
    return { success: true as const, message: 'Verificación en dos pasos quitada' };
  });
});

const acceptCode = () =>
  server.reply(confirmSecondFactor, () => {
    account = { ...account, second_factor: true, recovery_codes_left: 10 };
    return { ...done, recovery_codes: CODES };
  });

const section = (name: string) => page.getByRole('region', { name });
const dialog = page.getByRole('dialog');
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
const current = section('Contraseña').getByLabelText('Contraseña actual');
const next = section('Contraseña').getByLabelText('Contraseña nueva');
async function change(from: string, to: string) {
  await current.fill(from);
  await next.fill(to);
  await section('Contraseña').getByRole('button', { name: 'Cambiar contraseña' }).click();
}
const question = page.getByRole('dialog', { name: 'Confirma quién eres' });
const asked = (label: string) => question.getByLabelText(new RegExp(`^${label}( \\*)?$`));
/** Opens a screen as a person with a step that is pending until `over` returns true. */
function openPending(path: string, role: Role, pending: Pending, over: () => boolean) {
  open(path, role);
  const negocio = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;
  server.reply(getUser, () => ({ user: { ...person(role), pending: over() ? null : pending }, negocio }));
}
/** Makes an endpoint demand the password first. */
function guarded(endpoint: EndpointDef, opens: () => void) {
  server.refuse(endpoint, 403, { message: 'Confirma quién eres', code: 'step_up' });
  server.reply(proveIdentity, () => {
    opens();
    return done;
  });
}

test('a person can change the password and close other sessions in «Mi cuenta»', async () => {
  const session = { ...emptyAnswer(listSessions).data[0], ip: '10.0.0.7' } as OwnSession;
  const at = '2026-11-20T10:00:00Z';
  let sessions: OwnSession[] = [
    { ...session, actual: true, user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0', created_at: at, last_seen_at: at },
    { ...session, actual: false, user_agent: 'Mozilla/5.0 (Android 15) Firefox/130.0', created_at: at, last_seen_at: at },
  ];
  server.reply(listSessions, () => ({ data: sessions }));
  server.reply(closeOtherSessions, () => {
    sessions = sessions.filter(({ actual }) => actual);
    return { success: true as const, message: 'Sesiones cerradas' };
  });

  open('/mis-pedidos', 'revendedor');
  await expect.element(page.getByText(/^Enruta \d+\.\d+\.\d+(-\w+)?/)).toBeVisible();
  await page.getByRole('button', { name: /Rita Sanz/ }).click();
  await page.getByRole('menuitem', { name: 'Mi cuenta' }).click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Mi cuenta');
  await expect.element(page.getByText('revendedor@enruta.test · Revendedor')).toBeVisible();
  await expect.element(section('Contraseña')).toMatchTextContent('Cambiada el 10/03/2026. No caduca.');
  await expectAccessible();

  server.refuse(changePassword, 422, {
    message: 'La contraseña actual no es correcta',
    errors: { current_password: ['La contraseña actual no es correcta'] },
  });
  await change('la de antes', 'clave nueva de Rita');
  await expect.element(current).toHaveAccessibleDescription('La contraseña actual no es correcta');
  await expect.element(current).toHaveFocus();
  await expect.element(next).toHaveValue('clave nueva de Rita');

  await next.fill('corta');
  await section('Contraseña').getByRole('button', { name: 'Cambiar contraseña' }).click();
  await expect.element(next).toHaveAccessibleDescription(/La contraseña debe tener al menos 6 caracteres/);
  server.answer(changePassword, { success: true, message: 'Contraseña cambiada' });
  await next.fill('clave nueva de Rita');
  await section('Contraseña').getByRole('button', { name: 'Cambiar contraseña' }).click();
  await expect.element(page.getByText('Contraseña cambiada')).toBeVisible();
  await expect.element(current).toHaveValue('');
  await expect.element(next).toHaveValue('');
  const sent = { current_password: 'la de antes', password: 'clave nueva de Rita' };
  expect(server.asked(changePassword).map(({ body }) => body)).toEqual([sent, sent]);

  const listed = section('Sesiones').getByRole('listitem');
  await expect.poll(() => listed.elements()).toHaveLength(2);
  await expect.element(listed.first()).toMatchTextContent(/Firefox en Linux.*Esta sesión.*10\.0\.0\.7 · abierta el 20\/11\/2026/);
  await expect.element(listed.nth(1)).toMatchTextContent('Firefox en Android');
  await section('Sesiones').getByRole('button', { name: 'Cerrar las demás' }).click();
  await expect.poll(() => listed.elements()).toHaveLength(1);
  await expect.element(section('Sesiones').getByRole('button', { name: 'Cerrar las demás' })).not.toBeInTheDocument();
});

test('setting up a second factor needs the password and a first code, and ends with the recovery codes', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  open('/mi-cuenta', 'revendedor');
  await expect.element(section('Segundo factor')).toMatchTextContent('Sin activar');
  await page.getByRole('button', { name: 'Activar la verificación en dos pasos' }).click();
  const begun = { secret: 'ABCDEFGHIJKL', uri: 'otpauth://totp/Enruta', qr: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' };
  guarded(startSecondFactor, () => server.answer(startSecondFactor, begun));
  await press('Continuar');
  // Dismissing the password prompt sends nothing.
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('button', { name: 'Continuar' })).toBeEnabled();
  expect(server.asked(startSecondFactor)).toHaveLength(1);

  await press('Continuar');
  await expect.element(asked('Contraseña actual')).toHaveFocus();
  await expect.element(asked('Código de verificación')).not.toBeInTheDocument();
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(asked('Contraseña actual')).toHaveAccessibleDescription('Escribe tu contraseña actual');
  await asked('Contraseña actual').fill('clave de Rita');
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(server.asked(proveIdentity).map(({ body }) => body)).toEqual([{ password: 'clave de Rita' }]);

  await expect.element(dialog.getByRole('img', { name: /Código QR/ })).toBeVisible();
  await expect.element(dialog.getByLabelText('Clave')).toHaveValue('ABCD EFGH IJKL');
  await expectAccessible();
  await press('Copiar clave');
  await expect.poll(() => copied.mock.calls).toEqual([['ABCDEFGHIJKL']]);
  const code = dialog.getByLabelText('2. Escribe el código que muestra');
  await press('Activar');
  await expect.element(code).toHaveAccessibleDescription('Escribe el código');
  const refusal = 'El código no es correcto';
  server.refuse(confirmSecondFactor, 422, { message: refusal, errors: { code: [refusal] } });
  await code.fill('123456');
  await press('Activar');
  await expect.element(code).toHaveAccessibleDescription(refusal);
  acceptCode();
  await press('Activar');
  const codes = dialog.getByRole('list', { name: 'Códigos de recuperación' }).getByRole('listitem');
  await expect.poll(() => codes.elements()).toHaveLength(10);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => codes.elements()).toHaveLength(10);
  await expectAccessible();
  const download = dialog.getByRole('link', { name: 'Descargar' });
  await expect.element(download).toHaveAttribute('download', 'enruta-codigos-de-recuperacion.txt');
  expect(decodeURIComponent(download.element().getAttribute('href') ?? '')).toContain(`,${CODES.join('\n')}\n`);
  await press('Los he guardado');
  await expect.element(section('Segundo factor')).toMatchTextContent('Activado');
  await expect.element(section('Segundo factor')).toMatchTextContent('Te quedan 10 códigos de recuperación.');
});

test('recovery codes are renewed with password and code, and the second factor is removed after a confirmation', async () => {
  account = { ...account, second_factor: true, recovery_codes_left: 3 };
  guarded(renewRecoveryCodes, () => server.answer(renewRecoveryCodes, { ...done, recovery_codes: CODES }));
  open('/mi-cuenta', 'revendedor');
  await page.getByRole('button', { name: 'Renovar códigos' }).click();
  await press('Renovar códigos');
  const password = asked('Contraseña actual');
  await expect.element(password).toHaveFocus();
  await expectAccessible();
  await password.fill('no es esta');
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(asked('Código de verificación')).toHaveAccessibleDescription(/Escribe el código/);
  await asked('Código de verificación').fill('123456');
  const message = 'La contraseña actual no es correcta';
  server.refuse(proveIdentity, 422, { message, errors: { password: [message] } });
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(password).toHaveAccessibleDescription(message);
  guarded(renewRecoveryCodes, () => server.answer(renewRecoveryCodes, { ...done, recovery_codes: CODES }));
  await password.fill('clave de Rita');
  await asked('Código de verificación').fill('123456');
  await question.getByRole('button', { name: 'Confirmar' }).click();
  await expect.poll(() => page.getByRole('list', { name: 'Códigos de recuperación' }).getByRole('listitem').elements()).toHaveLength(10);
  await press('Los he guardado');
  expect(server.asked(proveIdentity).at(-1)?.body).toEqual({ password: 'clave de Rita', code: '123456' });

  await section('Segundo factor').getByRole('button', { name: 'Quitar', exact: true }).click();
  await press('Quitar');
  await expect.element(page.getByText('Verificación en dos pasos quitada')).toBeVisible();
  await expect.element(section('Segundo factor')).toMatchTextContent('Sin activar');
});

test('a second factor that the settings require cannot be removed', async () => {
  account = { ...account, second_factor: true, second_factor_required: true, recovery_codes_left: 1 };
  open('/mi-cuenta', 'revendedor');
  await expect.element(section('Segundo factor')).toMatchTextContent('La configuración la exige a tu cuenta.');
  await expect.element(section('Segundo factor')).toMatchTextContent('Te queda 1 código de recuperación.');
  await expect.element(section('Segundo factor').getByRole('button', { name: 'Cambiar de móvil' })).toBeVisible();
  await expect.element(section('Segundo factor').getByRole('button', { name: 'Quitar' })).not.toBeInTheDocument();
});

test('a person with an expired password can open only «Mi cuenta» until the password is changed', async () => {
  server.answer(changePassword, { success: true, message: 'Contraseña cambiada' });
  openPending('/pedidos-disponibles', 'transportista', 'password', () => server.asked(changePassword).length > 0);
  await expect.poll(address).toBe('/mi-cuenta');
  await expect.element(page.getByRole('alert').filter({ hasText: 'Tu contraseña ha caducado' })).toBeVisible();
  expect(page.getByRole('navigation').getByRole('link').elements()).toEqual([]);
  await expectAccessible();
  await change('la de antes', 'clave nueva de Tomás');
  await expect.poll(address).toBe('/transportista-dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'Pedidos disponibles' }).click();
  await expect.poll(address).toBe('/pedidos-disponibles');
});

test('a superadmin without the required second factor can open only «Mi cuenta» until the factor is set up', async () => {
  openPending('/pedidos', 'superadmin', 'second_factor', () => account.second_factor);
  await expect.poll(address).toBe('/mi-cuenta');
  await expect.element(page.getByRole('alert').filter({ hasText: 'Falta la verificación en dos pasos' })).toBeVisible();
  await page.getByRole('button', { name: 'Activar la verificación en dos pasos' }).click();
  await press('Continuar');
  await dialog.getByLabelText('2. Escribe el código que muestra').fill('123456');
  await press('Activar');
  await press('Los he guardado');
  await expect.poll(address).toBe('/');
});
