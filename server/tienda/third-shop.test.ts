import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { signThird, type ThirdOrder, thirdShop } from '../../test/third-shop/third-shop.ts';
import { shop, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { encrypt } from '../kit/secrets.ts';
import type { Connector } from './connector.ts';
import { CONNECTORS } from './connectors.ts';

/* A kind of shop is one folder of `reading/`, its line in `connectors.ts` and its row in the contract. */

tiendaForEachTest();

const there: ThirdOrder[] = [];
beforeAll(() => {
  const kinds = CONNECTORS as Connector[];
  kinds.push(thirdShop(there));
  return () => void kinds.pop();
});

test('a third kind of shop is received, asked and compared like the others', async () => {
  const seal = (text: string) => encrypt(world.config.secretKey, text);
  const { id } = await world.db
    .insertInto('tiendas')
    .values({
      conector: 'third',
      nombre: 'Tercera',
      secreto: seal('secreto'),
      url: 'https://t.example',
      clave: 'k',
      clave_secreta: seal('s'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const order = (ref: string): ThirdOrder => ({ ref, at: new Date().toISOString(), to: `Ana ${ref}`, cents: 4400 });
  const send = async (sent: ThirdOrder, secret = 'secreto') => {
    const body = JSON.stringify(sent);
    return (await shop.post(body, { 'x-third-signature': signThird(body, secret) }, `/api/tienda/${id}`)).status;
  };
  there.push(order('A-1'), order('A-2'));
  expect(await send(order('A-3'), 'otro')).toBe(400);
  expect([await send(there[0]!), await send(order('A-4'))]).toEqual([200, 200]);
  await shop.read();
  await shop.ask();
  await shop.read();
  const found = (await shop.orders()).map(({ referencia_externa, tienda, estado, pagado }) => [referencia_externa, tienda, estado, pagado]);
  expect(found.toSorted()).toEqual([
    ['A-1', 'Tercera', 'pendiente', 44],
    ['A-2', 'Tercera', 'pendiente', 44],
    // The shop does not have it any more.
    ['A-4', 'Tercera', 'cancelado', 0],
  ]);
});

test('no file but its own folder and the list of kinds knows a kind of shop by name', () => {
  const files = ['.', '../../web/tienda'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(import.meta.dirname, folder, name),
    ),
  );
  const known = files.filter(
    (path) =>
      /\.tsx?$/.test(path) && !/\.test\.tsx?$|reading\/(woo|plano)\//.test(path) && /['"](woo|plano)['"]/.test(readFileSync(path, 'utf8')),
  );
  expect(known).toEqual([]);
});
