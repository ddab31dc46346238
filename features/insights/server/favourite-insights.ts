import { sql } from 'kysely'
import type { FavouriteObjects } from '@headwater/accounts/server'
import type { Groups } from '@headwater/groups/server'
import { fileNameOf } from './insight-files.ts'
import { insightNameOf, type InsightItems } from './insight-items.ts'

/** Finds favourite insights. Their entries contain the name of the group and of the file (SH-106). */
export function createFavouriteInsights({
  groups,
  insights,
}: {
  groups: Pick<Groups, 'access'>
  insights: Pick<InsightItems['insights'], 'search'>
}): FavouriteObjects {
  return {
    fields: ['groupName', 'fileName'],
    async find(principal, { ids, names }) {
      const scope = await groups.access.scope(principal)
      const byNames = sql`(groups.name, item.name) in (select * from unnest(
        ${names.map(({ groupName }) => groupName)}::text[],
        ${names.map(({ fileName = '' }) => insightNameOf(fileName))}::text[]))`
      const conditions = [
        ...(ids.length === 0 ? [] : [sql`item.id = any(${ids}::uuid[])`]),
        ...(names.length === 0 ? [] : [byNames]),
      ]
      const pages = await Promise.all(
        conditions.map((condition) =>
          insights.search(
            { scope, latest: true, where: [condition] },
            { sortBy: 'name', sortOrder: 'asc', from: 0, size: ids.length + names.length },
          ),
        ),
      )
      return pages
        .flatMap(({ items }) => items)
        .map(({ id, groupName, name }) => ({ id, names: { groupName, fileName: fileNameOf(name) } }))
    },
  }
}
