import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Route } from '@headwater/contract'
import { call, routeKey } from '@headwater/web-kit'
import {
  createPublicLink,
  endPublicLink,
  endPublicView,
  getPublicStatus,
  listPublicLinks,
  listPublicViews,
  listShared,
  listVisitors,
  shareInsight,
  unshareInsight,
  updatePublicStatus,
  type AllowedParameter,
  type PublicView,
  type RoleAssignment,
} from '../../contract/index.ts'
import { getInsight, patchInsight, searchInsights, type InfoField } from '@headwater/insights/contract'
import type { InsightName } from '@headwater/insights/web'

/** Query of the shares of an insight. */
export function useShares({ groupName, insightName }: InsightName) {
  const input = { query: { groupName, name: insightName } }
  return useQuery({
    queryKey: routeKey(listShared, input),
    queryFn: ({ signal }) => call(listShared, input, { signal }),
  })
}

/** Query of the public status of an insight. */
export function usePublicStatus({ groupName, insightName }: InsightName) {
  const input = { query: { groupName, insightName } }
  return useQuery({
    queryKey: routeKey(getPublicStatus, input),
    queryFn: ({ signal }) => call(getPublicStatus, input, { signal }),
  })
}

/** Query of the public views that contain data of a group, and the call that ends one. */
export function usePublicViews(groupName: string) {
  const client = useQueryClient()
  const input = { query: { groupName } }
  const views = useQuery({
    queryKey: routeKey(listPublicViews, input),
    queryFn: ({ signal }) => call(listPublicViews, input, { signal }),
  })
  return {
    views,
    end: async ({ groupName: insightGroupName, insightName }: PublicView): Promise<void> => {
      await call(endPublicView, { query: { groupName, insightGroupName, insightName } }, { keep: true })
      await refreshInsights(client, listPublicViews)
    },
  }
}

/**
 * Query of the links with choices to a public insight, and the calls that create and end one.
 * @param enabled whether to query the links. Default true
 */
export function usePublicLinks({ groupName, insightName }: InsightName, enabled = true) {
  const client = useQueryClient()
  const name = { groupName, insightName }
  const input = { query: name }
  const listed = useQuery({
    queryKey: routeKey(listPublicLinks, input),
    enabled,
    queryFn: ({ signal }) => call(listPublicLinks, input, { signal }),
  })
  const refresh = () => client.invalidateQueries({ queryKey: [listPublicLinks.name] })
  return {
    listed,
    create: async (allowed: { parameters: AllowedParameter[]; dates: boolean }) => {
      const made = await call(createPublicLink, { body: { ...name, ...allowed } })
      await refresh()
      return made
    },
    end: async (key: string): Promise<void> => {
      await call(endPublicLink, { query: { ...name, key } }, { keep: true })
      await refresh()
    },
  }
}

/** Query of the submitted forms of an insight. */
export function useSubmittedForms({ groupName, insightName }: InsightName, enabled: boolean) {
  const input = { query: { groupName, insightName } }
  return useQuery({
    queryKey: routeKey(listVisitors, input),
    enabled,
    queryFn: ({ signal }) => call(listVisitors, input, { signal }),
  })
}

/** Calls that share and publish an insight. Each call refreshes the affected queries. */
export function useSharingCalls({ groupName, insightName }: InsightName) {
  const client = useQueryClient()
  const name = { groupName, insightName }
  const refresh = () => refreshInsights(client, listShared)
  return {
    async share(shares: string[]): Promise<RoleAssignment> {
      const outcome = await call(shareInsight, { body: { ...name, shares } }, { keep: true })
      await refresh()
      return outcome
    },
    async unshare(email: string): Promise<void> {
      await call(unshareInsight, { body: { ...name, emails: [email] } }, { keep: true })
      await refresh()
    },
    async setPublic(status: { isPublic: boolean; expirationDate: string | null }): Promise<void> {
      await call(updatePublicStatus, { body: { ...name, ...status } }, { keep: true })
      await refresh()
    },
    async setFields(fields: InfoField[]): Promise<void> {
      await call(patchInsight, { body: { ...name, fields } }, { keep: true })
      await refresh()
    },
  }
}

/** Reloads the queries of insights and of their public status, and those of another route. */
function refreshInsights(client: QueryClient, route: Route): Promise<unknown> {
  return Promise.all(
    [route, getPublicStatus, searchInsights, getInsight].map(({ name }) =>
      client.invalidateQueries({ queryKey: [name] }),
    ),
  )
}
