import { MAX_VISTAS } from '../../contract/vistas/fields.ts';
import { createVista, deleteVista, listVistas, preferVista, updateVista } from '../../contract/vistas/vistas.ts';
import type { Client } from '../../test/client.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ROUNDS = 15;
const AT_ONCE = 80;

const save = (who: Client, nombre: string, more: { compartida?: boolean; lista?: 'pedidos' | 'mis-pedidos' } = {}) =>
  who.call(createVista, { body: { nombre, lista: 'pedidos', consulta: { search: 'ana' }, ...more } });

/** A view belongs to its owner, or to everybody who may see the list. Concurrent requests exceed no limit and use no name twice. */
export const row: Row = {
  name: 'views',
  what: `${AT_ONCE} views saved at once, one name by many, shared, changed, deleted and preferred at once, on two instances`,
  seconds: 90,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [ada, eva] = (await shop.crew('superadmin', 2)) as [Member, Member];
    const [rita, rosa] = (await shop.crew('revendedor', 2)) as [Member, Member];
    const { expect, outcome } = verdict();
    // Signs the same person in at both instances.
    const elsewhere = [ada, await shop.signIn(ada.person, 1)] as const;
    const at = (i: number) => elsewhere[i % 2] as Client;
    const many = await each(range(AT_ONCE), AT_ONCE, async (i) => (await save(at(i), `Vista ${i}`)).status);
    expect(many.filter((status) => status === 201).length === MAX_VISTAS, () => `of ${AT_ONCE} at once: ${tally(many)}`);

    const statuses: number[] = [...many];
    for (const round of range(ROUNDS)) {
      const same = await each(range(8), 8, async () => (await save(rita, `Mías ${round}`, { lista: 'mis-pedidos' })).status);
      statuses.push(...same);
      expect(same.filter((status) => status === 201).length === 1, () => `one name eight times: ${tally(same)}`);
      const { id, version } = (await save(eva, `Común ${round}`, { compartida: true })).body.data;
      const params = { id };
      const racing = await Promise.all([
        eva.call(updateVista, { params, body: { compartida: false, version } }),
        at(1).call(preferVista, { body: { lista: 'pedidos', vista_id: id } }),
        at(0).call(updateVista, { params, body: { nombre: `Otra ${round}`, version } }),
        ...(round % 2 ? [at(1).call(deleteVista, { params })] : []),
      ]);
      statuses.push(...racing.map(({ status }) => status));
      const seen = (await at(0).call(listVistas, { query: { lista: 'pedidos' } })).body.data.find((view) => view.id === id);
      expect(!seen || seen.compartida, () => `round ${round}: a view that is no longer shared is still seen`);
      await eva.call(deleteVista, { params });
    }
    const own = (await save(rosa, 'Solo de Rosa', { lista: 'mis-pedidos' })).body.data.id;
    const secret = (await save(eva, 'Solo de Eva')).body.data.id;
    for (const [who, id] of [
      [rita, own],
      [ada, own],
      [ada, secret],
      [rita, secret],
    ] as const) {
      const answers = [
        await who.call(updateVista, { params: { id }, body: { nombre: 'Robada' } }),
        await who.call(deleteVista, { params: { id } }),
        await who.call(preferVista, { body: { lista: who === ada ? 'pedidos' : 'mis-pedidos', vista_id: id } }),
      ];
      expect(
        answers.every(({ status }) => status === 404),
        () => `another's view: ${tally(answers.map(({ status }) => status))}`,
      );
      const lista = who === ada ? 'pedidos' : 'mis-pedidos';
      const shown = (await who.call(listVistas, { query: { lista } })).body.data;
      expect(!shown.some((view) => view.id === id), () => `${who.person.role} sees another's view`);
    }
    expect((await save(rita, 'Ajena')).status === 403, () => 'a reseller saves a view of a list of superadmins');
    expect((await save(rita, 'De todas', { lista: 'mis-pedidos', compartida: true })).status === 403, () => 'a reseller shares a view');
    expect(
      statuses.every((status) => status < 500),
      () => `answers ${tally(statuses)}`,
    );
    return outcome(`${statuses.length} writes: ${tally(statuses)}`);
  },
  control: [
    {
      guard: 'that views of one person are counted one after the other',
      edits: [
        {
          file: 'server/vistas/vistas.ts',
          find: 'SELECT pg_advisory_xact_lock(',
          replace: 'SELECT (',
        },
      ],
    },
    {
      guard: 'whose a view is',
      edits: [
        {
          file: 'server/vistas/vistas.ts',
          find: 'OR v.compartida)',
          replace: 'OR true)',
        },
      ],
    },
  ],
};
