import {
  hashKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useSettings } from '@headwater/accounts/web'
import { maxPageSize } from '@headwater/contract'
import { call, intervals, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  canWrite,
  createGroup,
  deleteGroup,
  getGroup,
  getGroupContents,
  listGroups,
  listGroupTags,
  updateGroup,
  type Group,
  type GroupAccessMode,
  type GroupField,
} from '../contract/index.ts'

/** Maximum number of suggested tags. */
const tagPageSize = 50
/** Page size of a dropdown of groups. */
const optionPageSize = 50
/** Refresh interval of tags. */
const tagsRefreshMs = 15_000
const tagsStaleMs = 10_000

/** The values of the group form. */
export interface GroupDraft {
  /** Name of the group. */
  name: string
  /** Purpose of the group. */
  description: string
  /** Metadata fields of its files. */
  fields: GroupField[]
  /** Names of tags. */
  groupTags: string[]
}

/** Returns a group by its exact name; refreshes every 10 s. Sends no request without a name. */
export function useGroup(name: string | null) {
  return useQuery({ ...groupQuery(name ?? ''), enabled: name !== null && name !== '' })
}

/** Returns a function that refreshes a group in all components that display it. */
export function useRefreshGroup() {
  const client = useQueryClient()
  return (name: string) => client.invalidateQueries({ queryKey: routeKey(getGroup, { params: { name } }) })
}

/** Returns the access of the user to groups. A group is not included until its access is known. */
export function useGroupAccess(names: readonly string[]): ReadonlyMap<string, GroupAccessMode> {
  const groups = useQueries({ queries: [...new Set(names)].map(groupQuery) })
  return new Map(groups.flatMap(({ data }) => (data === undefined ? [] : [[data.name, data.access]])))
}

/** Returns the names of the groups that the user can write to. A group is not included until its access is known. */
export function useWritableGroups(names: readonly string[]): ReadonlySet<string> {
  const access = useGroupAccess(names)
  return new Set([...access].flatMap(([name, mode]) => (canWrite(mode) ? [name] : [])))
}

function groupQuery(name: string) {
  const input = { params: { name } }
  const refresh = refreshEvery(intervals.listMs)
  return queryOptions({
    queryKey: routeKey(getGroup, input),
    queryFn: ({ signal }) => call(getGroup, input, { signal }),
    // An invalidated group is being read again or deleted.
    refetchInterval: ({ state: { isInvalidated, status } }) =>
      isInvalidated && status === 'success' ? false : refresh(),
  })
}

/** Returns pages of groups by name, for a dropdown; `writeOnly` limits them to groups that the user can write to. */
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

/** Returns the names of the public groups that the user can write to: public insights display their data. */
export function usePublicGroups({ enabled }: { enabled: boolean }) {
  return useQuery({ ...publicGroupsQuery(), enabled })
}

/**
 * Returns the group to suggest for a new object: the preferred one, or the default group of the user; empty for none.
 * Suggests the preferred group only if the user can write to it and it is known not to be public, because a suggested group
 * is used without the confirmation that {@link GroupPicker} requires for public groups.
 */
export function useSuggestedGroup(preferred: string | undefined): string {
  const defaultGroup = useSettings()?.defaultGroup ?? ''
  const isDifferent = preferred !== undefined && preferred !== defaultGroup
  const writable = useWritableGroups(isDifferent ? [preferred] : [])
  const publicGroups = usePublicGroups({ enabled: isDifferent }).data
  const isSuggested = isDifferent && writable.has(preferred) && publicGroups?.has(preferred) === false
  return isSuggested ? preferred : defaultGroup
}

function publicGroupsQuery() {
  const query = { publicOnly: true, writeOnly: true, sortBy: 'name' as const, size: maxPageSize }
  return queryOptions({
    queryKey: [...routeKey(listGroups, { query }), 'public'],
    async queryFn({ signal }) {
      const names = new Set<string>()
      for (let from = 0; ; from += maxPageSize) {
        const { items, totalSize } = await call(listGroups, { query: { ...query, from } }, { signal })
        for (const { name } of items) names.add(name)
        if (from + items.length >= totalSize || items.length === 0) return names
      }
    },
    staleTime: intervals.listMs,
  })
}

/** Returns tags that contain a string. */
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
export function useSaveGroup() {
  const refresh = useRefreshGroups()
  return useMutation({
    mutationFn: ({ draft, base }: { draft: GroupDraft; base: Group | undefined }) => {
      const { description, fields, groupTags } = draft
      return base === undefined
        ? call(createGroup, { body: draft })
        : call(updateGroup, {
            params: { name: base.name },
            body: { description, fields, groupTags, basedOn: base.version },
          })
    },
    onSuccess: refresh,
  })
}

/** Returns a function that reads a group again. */
export function useNewestGroup() {
  const client = useQueryClient()
  return (name: string) => client.fetchQuery({ ...groupQuery(name), staleTime: 0 })
}

/** Returns the number of objects in a group, without a cache. Sends no request without a name. */
export function useGroupContents(name: string | undefined) {
  const input = { params: { name: name ?? '' } }
  return useQuery({
    queryKey: routeKey(getGroupContents, input),
    queryFn: ({ signal }) => call(getGroupContents, input, { signal }),
    enabled: name !== undefined,
    gcTime: 0,
  })
}

/** Deletes a group and refreshes all queries, because lists of all features can contain its objects. */
export function useDeleteGroup() {
  const client = useQueryClient()
  /** Selects the queries of the group itself. They would fail after the deletion while its page is still visible. */
  const ownOf = (name: string) => {
    const own = [getGroup, getGroupContents].map((route) => hashKey(routeKey(route, { params: { name } })))
    return ({ queryHash }: { queryHash: string }) => own.includes(queryHash)
  }
  return useMutation({
    mutationFn: (name: string) => call(deleteGroup, { params: { name } }),
    async onMutate(name) {
      await client.cancelQueries({ predicate: ownOf(name) })
      await client.invalidateQueries({ predicate: ownOf(name), refetchType: 'none' })
    },
    onError: (_error, name) => client.invalidateQueries({ predicate: ownOf(name) }),
    onSuccess(_nothing, name) {
      const isOwn = ownOf(name)
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
