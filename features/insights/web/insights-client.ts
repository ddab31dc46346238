import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSettings, useUpdateSettings } from '@headwater/accounts/web'
import { call, intervals, routeKey, toastError } from '@headwater/web-kit'
import {
  createInsight,
  deleteInsight,
  getInsight,
  isWorkflow,
  listInsightTags,
  searchInsights,
  updateInsight,
  type Insight,
  type InsightContent,
} from '../contract/index.ts'

/** How many tags are offered at once. */
const tagPageSize = 200

/** Which insight is meant. */
export interface InsightName {
  groupName: string
  insightName: string
}

/** An insight with its content. It is not read again by itself: what one looks at or edits does not change underfoot. */
export function useInsight(name: InsightName) {
  const input = { params: name }
  return useQuery({
    queryKey: routeKey(getInsight, input),
    queryFn: ({ signal }) => call(getInsight, input, { signal }),
    staleTime: intervals.staleMs,
  })
}

/** Tags that contain a text. */
export function useInsightTags(text: string) {
  const input = { query: { query: text === '' ? '*' : `*${text}*`, size: tagPageSize } }
  return useQuery({
    queryKey: routeKey(listInsightTags, input),
    queryFn: ({ signal }) => call(listInsightTags, input, { signal }),
    placeholderData: (previous) => previous,
  })
}

/** What the form of an insight holds. */
export interface InsightForm extends InsightName {
  description: string
  tags: string[]
}

/** The calls that change insights; each refreshes every list of insights. */
export function useInsightCalls() {
  const client = useQueryClient()
  async function refresh(): Promise<void> {
    await Promise.all(
      [searchInsights, listInsightTags].map((route) =>
        client.invalidateQueries({ queryKey: routeKey(route) }),
      ),
    )
  }
  /** Reads an insight anew, so that the page shows what was saved. */
  async function read(name: InsightName): Promise<Insight> {
    const input = { params: name }
    const insight = await call(getInsight, input)
    client.setQueryData(routeKey(getInsight, input), insight)
    void refresh()
    return insight
  }
  return {
    read,
    /** Saves a new insight; `logoId` is the logo of the one it is a copy of. */
    async create(form: InsightForm, content: InsightContent, logoId?: string): Promise<Insight> {
      const body = { ...form, content, logoId, ...kindOf(content) }
      await call(createInsight, { body }, { keep: true })
      return read(form)
    },
    async update(
      old: InsightName,
      given: { content: InsightContent; form?: InsightForm; expectedFileId?: string },
    ): Promise<Insight> {
      const { content, form, expectedFileId } = given
      const body = {
        oldGroupName: old.groupName,
        oldInsightName: old.insightName,
        ...(form === undefined
          ? {}
          : {
              newGroupName: form.groupName,
              newInsightName: form.insightName,
              tags: form.tags,
              fields: [{ name: 'description', value: form.description.trim() }],
            }),
        content,
        isWorkflow: isWorkflow(content),
        waitForUpload: true,
        ...(expectedFileId === undefined ? {} : { expectedFileId }),
      }
      await call(updateInsight, { body }, { keep: true })
      return read(form === undefined ? old : { groupName: form.groupName, insightName: form.insightName })
    },
    async remove(name: InsightName): Promise<void> {
      await call(deleteInsight, { body: name }, { keep: true })
      client.removeQueries({ queryKey: routeKey(getInsight, { params: name }) })
      await refresh()
    },
  }
}

function kindOf(content: InsightContent): { type: 'WORKFLOW' | 'VISUALISATION'; isWorkflow: boolean } {
  const runs = isWorkflow(content)
  return { type: runs ? 'WORKFLOW' : 'VISUALISATION', isWorkflow: runs }
}

interface Favourite {
  fileName: string
  groupName: string
  favorite: boolean
}

/** The favourite insights of the user, and how to change them. */
export function useFavourites(): {
  isFavourite: (name: InsightName) => boolean
  toggle: (name: InsightName) => Promise<void>
} {
  const settings = useSettings()
  const update = useUpdateSettings()
  const all = favouritesIn(settings?.favoriteInsights)
  const isSame = (entry: Favourite, { groupName, insightName }: InsightName) =>
    entry.groupName === groupName && entry.fileName === `${insightName}.json`
  const isFavourite = (name: InsightName) => all.some((entry) => entry.favorite && isSame(entry, name))
  return {
    isFavourite,
    async toggle(name) {
      const others = all.filter((entry) => !isSame(entry, name))
      const { groupName, insightName } = name
      const next = isFavourite(name)
        ? others
        : [...others, { fileName: `${insightName}.json`, groupName, favorite: true }]
      try {
        await update({ favoriteInsights: JSON.stringify(next) })
      } catch (error) {
        toastError(error)
      }
    },
  }
}

function favouritesIn(json: string | undefined): Favourite[] {
  try {
    const list: unknown = JSON.parse(json || '[]')
    return Array.isArray(list)
      ? list.filter(
          (entry): entry is Favourite => typeof entry === 'object' && entry !== null && 'fileName' in entry,
        )
      : []
  } catch {
    return []
  }
}
