import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** How to connect, in the words of `pg`. */
export interface PostgresConnection {
  /** Folder of the unix socket; `pg` takes a host that begins with `/` as one. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** The role that the server connects as. */
const serverRole = 'headwater_server'

/**
 * Makes sure that the server has a role which owns its database and everything in it, and which can neither start programs, read
 * or write files of the machine, nor create roles and databases. What an earlier version created as the administrator is given to
 * that role. The role gets a new password at each start, which is stored nowhere.
 * @param administrator the superuser that `initdb` made, connected to the database of the server
 * @returns how the server connects
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

/** `reassign owned` refuses what belongs to the first superuser. Indexes and the sequences of columns follow their tables. */
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
