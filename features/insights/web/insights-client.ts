import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useFavourites, useReloadSettings } from '@headwater/accounts/web'
import { call, callRaw, intervals, routeKey, toastError, useSlot } from '@headwater/web-kit'
import { isWorkflow, type InsightContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  deleteInsight,
  getInsight,
  getInsightLogo,
  listInsightTags,
  listInsightVersions,
  putInsightLogo,
  readInsight,
  searchInsights,
  updateInsight,
  type Insight,
} from '../contract/index.ts'
import { insightSavedHandlers } from './slots.ts'

/** Number of tags per page. */
const tagPageSize = 200

/** The name of an insight. */
export interface InsightName {
  /** Name of its group. */
  groupName: string
  /** Name within the group. */
  insightName: string
}

/**
 * Reads an insight with its content. It is not refreshed automatically, so that a view or a draft does not change
 * unexpectedly.
 * @param editing whether the builder opens the insight; readers use the proxy path of its file
 */
export function useInsight(name: InsightName, editing = false) {
  return useQuery(insightQuery(name, editing))
}

/** Returns the query of an insight with its content; see {@link useInsight}. */
export function insightQuery({ groupName, insightName }: InsightName, editing: boolean) {
  const input = { params: { groupName, insightName } }
  return queryOptions({
    queryKey: routeKey(getInsight, input),
    queryFn: ({ signal }) =>
      editing
        ? call(getInsight, input, { signal })
        : call(readInsight, { params: { groupName, fileName: `${insightName}.json` } }, { signal }),
    staleTime: intervals.staleMs,
  })
}

/** Reads the newest version of an insight. */
export function readLatest({ groupName, insightName }: InsightName): Promise<Insight> {
  return call(getInsight, { params: { groupName, insightName } })
}

/** Loads the logo of an insight once, as an object URL that is valid while the page is open. */
export function useLogo({ groupName, insightName }: InsightName, logoId: string | undefined) {
  return useQuery({
    queryKey: [getInsightLogo.name, logoId],
    enabled: logoId !== undefined && logoId !== '',
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { groupName, insightName }
      const response = await callRaw(getInsightLogo, { params }, { signal })
      return URL.createObjectURL(await response.blob())
    },
  })
}

/** Searches tags that contain a text. */
export function useInsightTags(text: string) {
  const input = { query: { query: text === '' ? '*' : `.*${text}.*`, size: tagPageSize } }
  return useQuery({
    queryKey: routeKey(listInsightTags, input),
    queryFn: ({ signal }) => call(listInsightTags, input, { signal }),
    placeholderData: (previous) => previous,
  })
}

/** Result of a save. The upload of the logo can fail independently. */
export interface SavedInsight {
  /** The stored insight after the save. */
  insight: Insight
  /** Error of the logo upload; undefined if it succeeded or there was no logo. */
  logoError: Error | undefined
}

/** The values of the form of an insight. */
export interface InsightForm extends InsightName {
  /** Purpose of the insight, at most 4000 characters; can be empty. */
  description: string
  /** All tags of the insight, at most 50. */
  tags: string[]
  /** Creates the group if it does not exist. */
  shouldCreateGroup?: boolean
  /** Whether runs use the access of the viewer; stored as an info field. */
  useUserToken?: boolean
  /** A new logo; null removes the current one, undefined leaves it unchanged. */
  logo?: File | null | undefined
}

/** Returns the stored name. */
function nameOf({ groupName, insightName }: InsightName): InsightName {
  return { groupName, insightName: insightName.replace(/\.json$/i, '').trim() }
}

/** Provides the calls that change insights. Each call refreshes all lists of insights. */
export function useInsightCalls() {
  const savedHandlers = useSlot(insightSavedHandlers)
  const client = useQueryClient()
  const reloadSettings = useReloadSettings()
  async function refresh(): Promise<void> {
    await Promise.all(
      [searchInsights, listInsightTags, listInsightVersions].map((route) =>
        client.invalidateQueries({ queryKey: routeKey(route) }),
      ),
    )
  }
  /** Uploads a logo after the insight itself was saved. Returns the error if it fails. */
  async function putLogo({ groupName, insightName }: InsightName, logo: File): Promise<Error | undefined> {
    try {
      const params = { groupName, insightName }
      await call(putInsightLogo, { params, body: logo } as never, { keep: true })
      return undefined
    } catch (error) {
      return error as Error
    }
  }
  /** Reads an insight again, so that the page shows the saved version. */
  async function read(name: InsightName): Promise<Insight> {
    const input = { params: name }
    const insight = await call(getInsight, input)
    client.setQueryData(routeKey(getInsight, input), insight)
    void refresh()
    return insight
  }
  return {
    read,
    /** Saves a new insight; `logoId` is the logo of the insight that it copies. */
    async create(
      { logo, ...form }: InsightForm,
      content: InsightContent,
      logoId?: string,
    ): Promise<SavedInsight> {
      const reused = logo === undefined ? logoId : undefined
      const { useUserToken = false } = form
      const body = { ...form, useUserToken, content, logoId: reused, ...kindOf(content) }
      await call(createInsight, { body }, { keep: true })
      const logoError = logo ? await putLogo(form, logo) : undefined
      for (const handle of savedHandlers) await handle(form)
      return { insight: await read(form), logoError }
    },
    async update(
      old: InsightName,
      given: { content: InsightContent; form?: InsightForm; expectedFileId?: string },
    ): Promise<SavedInsight> {
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
              fields: [
                { name: 'description', value: form.description.trim() },
                ...(form.logo === null ? [{ name: 'logo', value: '' }] : []),
                ...(form.useUserToken === undefined
                  ? []
                  : [{ name: 'use_user_token', value: String(form.useUserToken) }]),
              ],
            }),
        content,
        isWorkflow: isWorkflow(content),
        waitForUpload: true,
        ...(expectedFileId === undefined ? {} : { expectedFileId }),
      }
      await call(updateInsight, { body }, { keep: true })
      const name = form === undefined ? old : form
      // The server gives a favourite its new name.
      if (old.groupName !== name.groupName || old.insightName !== nameOf(name).insightName)
        void reloadSettings().catch(toastError)
      const logoError = form?.logo ? await putLogo(form, form.logo) : undefined
      for (const handle of savedHandlers) await handle(name)
      return { insight: await read(nameOf(name)), logoError }
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
  favorite?: boolean
}

/** Returns the favourite insights of the user and functions to change them. */
export function useFavouriteInsights() {
  const { entries, isFavourite, toggle } = useFavourites<Favourite>(
    'favoriteInsights',
    'fileName',
    (entry, other) => entry.groupName === other.groupName && entry.fileName === other.fileName,
  )
  const entryOf = ({ groupName, insightName }: InsightName): Favourite => ({
    fileName: `${insightName}.json`,
    groupName,
  })
  return {
    names: entries.map(({ groupName, fileName }): InsightName => ({
      groupName,
      insightName: fileName.replace(/\.json$/i, ''),
    })),
    isFavourite: (name: InsightName) => isFavourite(entryOf(name)),
    toggle: (name: InsightName) => toggle(entryOf(name)),
  }
}
