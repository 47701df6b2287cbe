import { PGlite } from '@electric-sql/pglite';

// Loaded into the server of the tests before the program: a month is closed once it has ended, and no test waits that long.
const create = PGlite.create.bind(PGlite) as (...given: unknown[]) => Promise<PGlite>;
PGlite.create = (async (...given: unknown[]) => {
  const db = await create(...given);
  process.on('message', () => {
    db.exec(`
      ALTER TABLE ganancias DISABLE TRIGGER USER;
      UPDATE ganancias SET dia = date_trunc('month', dia)::date - 1 WHERE liquidacion_id IS NULL AND dia = dia_negocio(now());
      ALTER TABLE ganancias ENABLE TRIGGER USER`).then(
      () => process.send?.('done'),
      (error: unknown) => process.send?.(String(error)),
    );
  });
  // Waiting for a message keeps nobody alive.
  process.channel?.unref();
  return db;
}) as typeof PGlite.create;
