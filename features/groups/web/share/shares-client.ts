import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import {
  checkGroupShareable,
  getGroup,
  listGroups,
  listGroupUsers,
  maxSuggestedEmails,
  searchShareEmails,
  shareGroups,
  unshareGroup,
} from '../../contract/index.ts'
import { endOf, type ShareChanges } from './share-draft.ts'

/** Minimum length of a search text for addresses. */
const shortestSearch = 2

/** Returns whether a group can be shared, without a cache. */
export function useShareable(name: string) {
  const input = { params: { name } }
  return useQuery({
    queryKey: routeKey(checkGroupShareable, input),
    queryFn: ({ signal }) => call(checkGroupShareable, input, { signal }),
    gcTime: 0,
  })
}

/** Returns the users of a group, without a cache. */
export function useGroupUsers(name: string) {
  const input = { params: { name } }
  return useQuery({
    queryKey: routeKey(listGroupUsers, input),
    queryFn: ({ signal }) => call(listGroupUsers, input, { signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Returns e-mail addresses that contain a string. */
export function useEmails(name: string, text: string) {
  const input = { params: { name }, query: { query: text.trim() } }
  return useQuery({
    queryKey: routeKey(searchShareEmails, input),
    queryFn: ({ signal }) => call(searchShareEmails, input, { signal }),
    enabled: text.trim().length >= shortestSearch,
    placeholderData: keepPreviousData,
  })
}

/**
 * Returns the addresses (in lower case) that do not belong to an active user. Addresses that cannot be checked now are
 * omitted; the request that saves the share checks all addresses again.
 */
export async function findInactiveEmails(name: string, emails: readonly string[]): Promise<string[]> {
  const isInactive = await Promise.all(
    emails.map(async (email) => {
      const matches = await call(searchShareEmails, { params: { name }, query: { query: email } }).catch(
        () => undefined,
      )
      if (matches === undefined || matches.emails.length === maxSuggestedEmails) return false
      return !matches.emails.some((each) => each.toLowerCase() === email)
    }),
  )
  return emails.filter((_, index) => isInactive[index])
}

/** Saves changes of the shares of a group: additions and changes in one request, removals in another one. */
export function useSaveShares(groupName: string) {
  const client = useQueryClient()
  return async ({ shared, removed }: ShareChanges): Promise<void> => {
    const url = location.pathname
    const sharesList = shared.map(({ isNew, message, sendMessage, ...draft }) => ({
      email: draft.email,
      access: draft.access,
      dataStart: draft.dataStart,
      dataEnd: draft.dataEnd,
      expirationDate: endOf(draft),
      sendMessage,
      ...(sendMessage ? { message, url } : {}),
      groupName,
      // A share that another user has added in the meantime keeps its access.
      merge: isNew,
    }))
    try {
      // Removals come last, because they can end the access of the user.
      if (sharesList.length > 0) await call(shareGroups, { body: { sharesList } }, { keep: true })
      if (removed.length > 0)
        await call(unshareGroup, { body: { groupName, emails: removed } }, { keep: true })
    } finally {
      await Promise.all(
        [listGroupUsers, getGroup, listGroups].map((route) =>
          client.invalidateQueries({ queryKey: [route.name] }),
        ),
      )
    }
  }
}
