import pg from 'pg';

/** Role of the program: owns its database, and is no superuser, so that no query reads a file or runs a command. */
const ROLE = 'enruta';

/** URL of the database at `admin`, with the program's role. */
export const withRole = (admin: string): string => admin.replace(/^postgres:\/\/postgres(?=[:@])/, `postgres://${ROLE}`);

/** URL of the database at `own`, with the superuser, because only a superuser may take a base backup. */
export const asAdmin = (own: string): string => own.replace(/^postgres:\/\/enruta(?=[:@])/, 'postgres://postgres');

/** Creates the program's role, gives it everything in the database at `admin`, and returns the address with that role. */
export async function ordinaryRole(admin: string): Promise<string> {
  const client = new pg.Client({ connectionString: admin });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(GIVE);
  } finally {
    await client.end();
  }
  return withRole(admin);
}

/**
 * Runs as one transaction, at every start, and looks at each object's owner: a folder of an earlier version belongs to the superuser, wholly
 * or in part. Extensions keep their objects; a sequence of a column (`deptype` a or i) follows its table.
 */
const GIVE = `
DO $$
DECLARE statement text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN CREATE ROLE ${ROLE} LOGIN CREATEDB; END IF;
  GRANT EXECUTE ON FUNCTION pg_switch_wal() TO ${ROLE};
  UPDATE pg_authid r SET rolpassword = s.rolpassword FROM pg_authid s
  WHERE s.rolname = 'postgres' AND r.rolname = '${ROLE}' AND r.rolpassword IS DISTINCT FROM s.rolpassword;
  FOR statement IN
    WITH own AS (SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
      of_extensions AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
      objects AS (
        SELECT 'pg_namespace'::regclass AS class, oid, nspowner AS owner, 'SCHEMA' AS kind, oid::regnamespace::text AS name
        FROM pg_namespace WHERE oid IN (SELECT oid FROM own)
        UNION ALL
        SELECT 'pg_class'::regclass, c.oid, relowner,
          CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass::text
        FROM pg_class c WHERE relnamespace IN (SELECT oid FROM own) AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT (relkind = 'S' AND EXISTS (
            SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i')))
        UNION ALL
        SELECT 'pg_proc'::regclass, oid, proowner, 'ROUTINE', oid::regprocedure::text FROM pg_proc WHERE pronamespace IN (SELECT oid FROM own)
        UNION ALL
        SELECT 'pg_type'::regclass, oid, typowner, 'TYPE', oid::regtype::text FROM pg_type
        WHERE typnamespace IN (SELECT oid FROM own) AND typtype IN ('d', 'e', 'r')
        UNION ALL
        SELECT 'pg_collation'::regclass, oid, collowner, 'COLLATION', oid::regcollation::text FROM pg_collation WHERE collnamespace IN (SELECT oid FROM own)
        UNION ALL
        SELECT 'pg_ts_config'::regclass, oid, cfgowner, 'TEXT SEARCH CONFIGURATION', oid::regconfig::text
        FROM pg_ts_config WHERE cfgnamespace IN (SELECT oid FROM own)
        UNION ALL
        SELECT 'pg_ts_dict'::regclass, oid, dictowner, 'TEXT SEARCH DICTIONARY', oid::regdictionary::text
        FROM pg_ts_dict WHERE dictnamespace IN (SELECT oid FROM own)
        UNION ALL
        SELECT 'pg_database'::regclass, oid, datdba, 'DATABASE', format('%I', datname) FROM pg_database WHERE datname = current_database()
      )
    SELECT format('ALTER %s %s OWNER TO ${ROLE}', kind, name) FROM objects
    WHERE owner <> '${ROLE}'::regrole AND NOT EXISTS (SELECT FROM of_extensions WHERE classid = class AND objid = objects.oid)
  LOOP
    EXECUTE statement;
  END LOOP;
END $$`;
