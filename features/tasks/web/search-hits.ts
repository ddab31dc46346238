import { call, freeTextQuery, links, pageSizes, type SearchHit } from '@headwater/web-kit'
import { searchTasks } from '../contract/index.ts'

/** Returns the matching tasks for the global search. */
export async function findTasks(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const query = { query: freeTextQuery(text), size: pageSizes.search }
  const { items } = await call(searchTasks, { query }, { signal })
  return items.map((task) => ({
    id: task.id,
    title: task.readableName,
    detail: task.category,
    href: links.task(task.id),
  }))
}
