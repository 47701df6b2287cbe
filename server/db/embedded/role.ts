import pg from 'pg';

/** Role of the program: owns its database, and is no superuser, so that no query reads a file or runs a command. */
const ROLE = 'enruta';

/** URL of the database at `admin`, with the program's role. */
export const withRole = (admin: string): string => admin.replace(/^postgres:\/\/postgres(?=[:@])/, `postgres://${ROLE}`);

/** URL of the database at `own`, with the superuser, because only a superuser may take a base backup. */
export const asAdmin = (own: string): string => own.replace(/^postgres:\/\/enruta(?=[:@])/, 'postgres://postgres');

/** Creates the program's role, gives it the database at `admin`, and returns the address with that role. */
export async function ordinaryRole(admin: string): Promise<string> {
  const client = new pg.Client({ connectionString: admin });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ ready: boolean }>(
      'SELECT r.rolname = $1 AS ready FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE d.datname = current_database()',
      [ROLE],
    );
    if (!rows[0]?.ready) await client.query(GIVE);
  } finally {
    await client.end();
  }
  return withRole(admin);
}

/** Runs as one transaction. Changes the database's owner last, which marks the work as done. Extensions keep their objects. */
const GIVE = `
DO $$
DECLARE statement text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN CREATE ROLE ${ROLE} LOGIN CREATEDB; END IF;
  UPDATE pg_authid SET rolpassword = (SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres') WHERE rolname = '${ROLE}';
  FOR statement IN
    WITH own AS (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
      of_extensions AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
    SELECT format('ALTER SCHEMA %s OWNER TO ${ROLE}', oid::regnamespace) FROM own
    UNION ALL
    SELECT format('ALTER %s %s OWNER TO ${ROLE}',
      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
    FROM pg_class c WHERE relnamespace IN (SELECT oid FROM own) AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT FROM of_extensions WHERE classid = 'pg_class'::regclass AND objid = c.oid)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${ROLE}', p.oid::regprocedure) FROM pg_proc p
    WHERE pronamespace IN (SELECT oid FROM own) AND NOT EXISTS (SELECT FROM of_extensions WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${ROLE}', t.oid::regtype) FROM pg_type t
    WHERE typnamespace IN (SELECT oid FROM own) AND typtype IN ('d', 'e', 'r') AND NOT EXISTS (SELECT FROM of_extensions WHERE classid = 'pg_type'::regclass AND objid = t.oid)
    UNION ALL
    SELECT format('ALTER COLLATION %s OWNER TO ${ROLE}', c.oid::regcollation) FROM pg_collation c WHERE collnamespace IN (SELECT oid FROM own)
    UNION ALL
    SELECT format('ALTER TEXT SEARCH CONFIGURATION %s OWNER TO ${ROLE}', c.oid::regconfig) FROM pg_ts_config c WHERE cfgnamespace IN (SELECT oid FROM own)
    UNION ALL
    SELECT format('ALTER TEXT SEARCH DICTIONARY %s OWNER TO ${ROLE}', c.oid::regdictionary) FROM pg_ts_dict c WHERE dictnamespace IN (SELECT oid FROM own)
  LOOP
    EXECUTE statement;
  END LOOP;
  EXECUTE format('ALTER DATABASE %I OWNER TO ${ROLE}', current_database());
END $$`;
