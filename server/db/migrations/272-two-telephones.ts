import { type Kysely, sql } from 'kysely';
import { ABROAD, CUTS } from '../../../contract/text/telephone.ts';
import { FAST, NATIONAL, PLAIN_TELEPHONE, SEP, TELEPHONE, WRITTEN } from './085-one-reading-of-text.ts';
import { PART } from './170-who-a-person-is.ts';

/* Two telephones of a field are two, as contract/text/telephone.ts reads them: «+49 30 1234567 / 911 234 567» was one number of fourteen figures. */

const PARTED = CUTS.reduce((text, cut) => `regexp_replace(${text}, '${cut}', '\\1, ', 'g')`, WRITTEN);
const FIRST = (text: string) => `coalesce(substring(${text} from '${TELEPHONE}'), substring(${text} from '[0-9](?:${SEP}[0-9])*'), '')`;

const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION telefono(t text) RETURNS text ${FAST} $$
    BEGIN
      IF t IS NULL THEN RETURN ''; END IF;
      IF t ~ '${PLAIN_TELEPHONE}' THEN RETURN replace(t, ' ', ''); END IF;
      t := ${PARTED};
      RETURN ${NATIONAL(FIRST('t'))};
    END $$`,
  `CREATE OR REPLACE FUNCTION telefonos(t text) RETURNS text ${FAST} $$
    BEGIN
      IF t IS NULL THEN RETURN ''; END IF;
      IF t ~ '${PLAIN_TELEPHONE}' THEN RETURN replace(t, ' ', ''); END IF;
      t := ${PARTED};
      RETURN coalesce((SELECT string_agg(${NATIONAL('m[1]')}, ' ') FROM regexp_matches(t, '(${TELEPHONE})', 'g') m), regexp_replace(t, '[^0-9]', '', 'g'));
    END $$`,
  // The rest of the function stays as migration 170 wrote it.
  `DO $do$ DECLARE antes text := pg_get_functiondef('telefono(text, text)'::regprocedure); despues text := replace(antes,
      ${quoted(WRITTEN)}, ${quoted(`coalesce(CASE WHEN prefijo IS NOT NULL THEN substring(${PARTED} from '${ABROAD}') END, ${PARTED})`)});
    BEGIN
      EXECUTE despues;
    END $do$`,
  'REINDEX INDEX pedidos_persona',
];

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run('SET CONSTRAINTS ALL IMMEDIATE');
  for (const statement of FUNCTIONS) await run(statement);
  await run('ALTER TABLE pedidos DISABLE TRIGGER USER');
  // Of migration 170, if both run in one transaction.
  await run('DROP TABLE IF EXISTS pg_temp.claves');
  await run(PART.replace('por un teléfono inventado', 'porque sus dos teléfonos se leían como uno'));
  await run('SET CONSTRAINTS ALL IMMEDIATE');
  await run('ALTER TABLE pedidos ENABLE TRIGGER USER');
  await run('UPDATE clientes SET busqueda = texto_cliente(nombre, telefono) WHERE busqueda <> texto_cliente(nombre, telefono)');
  // Rebuilds the search texts after the migrations (server/db/search-text.ts).
  await run(`DO $$ BEGIN IF to_regprocedure('texto_busqueda(pedidos)') IS NOT NULL THEN
    COMMENT ON FUNCTION texto_busqueda(pedidos) IS ''; END IF; END $$`);
}
