import {
  hashKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, intervals, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  createGroup,
  deleteGroup,
  getGroup,
  getGroupContents,
  listGroups,
  listGroupTags,
  updateGroup,
  type Group,
  type GroupField,
} from '../contract/index.ts'

/** Most tags that are offered at once. */
const tagPageSize = 50
/** Groups that a dropdown loads at once. */
const optionPageSize = 50
/** How often the tags refresh, and how long they count as fresh, in milliseconds. */
const tagsRefreshMs = 15_000
const tagsStaleMs = 10_000

/** What a form of a group holds. */
export interface GroupDraft {
  name: string
  description: string
  fields: GroupField[]
  groupTags: string[]
}

/** One group by its exact name; refreshes every 10 s. While none is named nothing is asked. */
export function useGroup(name: string | null) {
  return useQuery({ ...groupQuery(name ?? ''), enabled: name !== null && name !== '' })
}

/** Which of these groups the user may write to. A group is none of them until its access is known. */
export function useWritableGroups(names: readonly string[]): ReadonlySet<string> {
  const groups = useQueries({ queries: [...new Set(names)].map(groupQuery) })
  return new Set(groups.flatMap(({ data }) => (data === undefined || data.access === 'R' ? [] : [data.name])))
}

function groupQuery(name: string) {
  const input = { params: { name } }
  return queryOptions({
    queryKey: routeKey(getGroup, input),
    queryFn: ({ signal }) => call(getGroup, input, { signal }),
    refetchInterval: refreshEvery(intervals.listMs),
  })
}

/** Groups for a dropdown, by name, page after page; `writeOnly` leaves out those that the user cannot write to. */
export function useGroupOptions(text: string, { writeOnly }: { writeOnly: boolean }) {
  const query = {
    query: text === '' ? '' : `*${text}*`,
    writeOnly,
    sortBy: 'name' as const,
    sortOrder: 'asc',
    size: optionPageSize,
  }
  return useInfiniteQuery({
    queryKey: [...routeKey(listGroups, { query }), 'pages'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(listGroups, { query: { ...query, from: pageParam } }, { signal }),
    getNextPageParam({ from, items, totalSize }) {
      const next = from + items.length
      return items.length > 0 && next < totalSize ? next : undefined
    },
    placeholderData: (previous) => previous,
  })
}

/** Tags that contain a text. */
export function useGroupTags(text: string) {
  const input = { query: { query: text, size: tagPageSize } }
  return useQuery({
    queryKey: routeKey(listGroupTags, input),
    queryFn: ({ signal }) => call(listGroupTags, input, { signal }),
    refetchInterval: refreshEvery(tagsRefreshMs),
    staleTime: tagsStaleMs,
    placeholderData: (previous) => previous,
  })
}

/** Creates or changes a group and refreshes every list of groups. */
export function useSaveGroup(existing: Group | undefined) {
  const refresh = useRefreshGroups()
  return useMutation({
    mutationFn: (draft: GroupDraft) =>
      existing === undefined
        ? call(createGroup, { body: draft })
        : call(updateGroup, {
            params: { name: existing.name },
            body: { description: draft.description, fields: draft.fields, groupTags: draft.groupTags },
          }),
    onSuccess: refresh,
  })
}

/** How much lies in a group, counted anew each time it is asked about; nothing is asked while the name is undefined. */
export function useGroupContents(name: string | undefined) {
  const input = { params: { name: name ?? '' } }
  return useQuery({
    queryKey: routeKey(getGroupContents, input),
    queryFn: ({ signal }) => call(getGroupContents, input, { signal }),
    enabled: name !== undefined,
    gcTime: 0,
  })
}

/** Deletes a group and refreshes all that is shown: what lay in it is gone from the lists of every room. */
export function useDeleteGroup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call(deleteGroup, { params: { name } }),
    onSuccess(_nothing, name) {
      // What is known of the group itself has nothing left to ask for; its page stands until one is led away.
      const own = [getGroup, getGroupContents].map((route) => hashKey(routeKey(route, { params: { name } })))
      const isOwn = ({ queryHash }: { queryHash: string }) => own.includes(queryHash)
      void client.invalidateQueries({ predicate: isOwn, refetchType: 'none' })
      return client.invalidateQueries({ predicate: (query) => !isOwn(query) })
    },
  })
}

function useRefreshGroups() {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: routeKey(listGroups) }),
      client.invalidateQueries({ queryKey: routeKey(getGroup) }),
      client.invalidateQueries({ queryKey: routeKey(listGroupTags) }),
    ])
  }
}
