import pg from 'pg';
import { query } from '../server/db/pool.ts';

// Loaded into the server of the tests before the program: a month is closed once it has ended, and no test waits that long.
pg.Pool = class extends pg.Pool {
  constructor(config?: pg.PoolConfig) {
    super(config);
    process.on('message', () => {
      query(
        this,
        `ALTER TABLE ganancias DISABLE TRIGGER USER;
        UPDATE ganancias SET dia = date_trunc('month', dia)::date - 1 WHERE liquidacion_id IS NULL AND dia = dia_negocio(now());
        ALTER TABLE ganancias ENABLE TRIGGER USER`,
      ).then(
        () => process.send?.('done'),
        (error: unknown) => process.send?.(String(error)),
      );
    });
    // Waiting for a message keeps nobody alive.
    process.channel?.unref();
  }
};
