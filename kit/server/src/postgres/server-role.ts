import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Connection settings for `pg`. */
export interface PostgresConnection {
  /** Folder of the Unix socket. `pg` treats a host that begins with `/` as a socket folder. */
  host: string
  /** Port, which is part of the name of the socket. */
  port: number
  /** Name of the role. */
  user: string
  /** Password of the role. */
  password: string
  /** Name of the database. */
  database: string
}

/** Name of the role that the server uses. */
const serverRole = 'headwater_server'

/**
 * Ensures that the server has a role that owns its database and all objects in it. The role cannot start programs, access
 * files of the machine, or create roles and databases. Objects that an earlier version created as the superuser are
 * reassigned to the role. The role gets a new password at each start; the password is not stored.
 * @param administrator the superuser that `initdb` created, connected to the database of the server
 * @returns connection settings of the server
 */
export async function prepareServerRole(administrator: PostgresConnection): Promise<PostgresConnection> {
  const password = randomBytes(24).toString('base64url')
  const client = new pg.Client(administrator)
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [serverRole])
    if (rowCount === 0) await client.query(`create role ${serverRole}`)
    await client.query(
      `alter role ${serverRole} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`,
    )
    await client.query(`alter database ${administrator.database} owner to ${serverRole}`)
    await client.query(giveObjects)
  } finally {
    await client.end()
  }
  return { ...administrator, user: serverRole, password }
}

/** `reassign owned` rejects objects of the bootstrap superuser. Indexes and column sequences follow their tables. */
const giveObjects = `do $$
  declare
    given text;
  begin
    for given in
      select format('alter %s %s owner to ${serverRole}',
        case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
        oid::regclass)
      from pg_class
      where relnamespace = 'public'::regnamespace and relowner = current_user::regrole
        and relkind in ('r', 'p', 'S', 'v', 'm')
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid
          and deptype in ('a', 'i', 'e'))
      union all
      select format('alter routine %s owner to ${serverRole}', oid::regprocedure)
      from pg_proc
      where pronamespace = 'public'::regnamespace and proowner = current_user::regrole
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid
          and deptype = 'e')
      union all
      select format('alter type %s owner to ${serverRole}', oid::regtype)
      from pg_type
      where typnamespace = 'public'::regnamespace and typowner = current_user::regrole and typtype in ('e', 'd')
        and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid
          and deptype = 'e')
    loop
      execute given;
    end loop;
  end
$$`
