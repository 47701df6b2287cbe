import type { Feature } from '../kit/feature.ts';
import { delivered } from '../outbox/undelivered.ts';
import { readReceived } from './process.ts';
import { forgetUnseen } from './review.ts';
import { tellShop } from './send-back.ts';
import { tiendaRoutes } from './tienda.routes.ts';

/** Orders of a web shop, which come in by themselves and go back as states. */
export const tiendaFeature: Feature = {
  name: 'tienda',
  tables: { tienda_pedidos: 'kept', tienda_productos: 'kept' },
  routes: tiendaRoutes,
  jobs: ({ db, config }) => [
    {
      name: 'tienda',
      cron: '* * * * *',
      run: async () => {
        await readReceived(db, config.secretKey);
        await delivered(db, 'tienda', () => tellShop(db, config));
      },
    },
  ],
  clean: forgetUnseen,
};
