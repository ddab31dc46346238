import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { Audience, Audiences } from '@headwater/insights/server'

interface Tables {
  insight_publications: { insight_id: string; expires_at: Date | null }
  insight_shares: { insight_id: string }
}

/** Creates the reader of the audiences of insights: the end of public access, and whether the insight is shared. */
export function createAudienceStore(database: Database): Audiences {
  const db = database.tables<Tables>()
  return {
    async find(ids) {
      const idList = sql<string>`any(${ids}::uuid[])`
      const [published, shared] = await Promise.all([
        db
          .selectFrom('insight_publications')
          .select(['insight_id', 'expires_at'])
          .where('insight_id', '=', idList)
          .execute(),
        db
          .selectFrom('insight_shares')
          .select('insight_id')
          .distinct()
          .where('insight_id', '=', idList)
          .execute(),
      ])
      const audiences = new Map<string, Audience>(
        shared.map(({ insight_id: id }) => [id, { publicUntil: undefined, isShared: true }]),
      )
      for (const { insight_id: id, expires_at: publicUntil } of published)
        audiences.set(id, { publicUntil, isShared: audiences.has(id) })
      return audiences
    },
    async publicIds() {
      const rows = await db.selectFrom('insight_publications').select('insight_id').execute()
      return rows.map(({ insight_id: id }) => id)
    },
  }
}
