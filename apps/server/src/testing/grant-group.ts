import type pg from 'pg'

/** Direct access of a user to a group. */
export interface TestGrant {
  groupName: string
  userName: string
  /** Access: R, RW or RWS. */
  access: string
}

/** Gives a user direct access to a group, in place of the direct access that the user had. */
export async function grantGroup(pool: pg.Pool, { groupName, userName, access }: TestGrant): Promise<void> {
  const { rowCount } = await pool.query(
    `insert into group_grants (group_id, user_id, access)
     select groups.id, users.id, $3 from groups, users where groups.name = $1 and user_name = $2
     on conflict (group_id, user_id, source, source_id) do update set access = excluded.access`,
    [groupName, userName, access],
  )
  if (rowCount !== 1) throw new Error(`There is no group ${groupName}, or no user ${userName}.`)
}
