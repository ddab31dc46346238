import { useMutation } from '@tanstack/react-query'
import {
  dataRequestEnvironments,
  requestDataAccess,
  requestedData as requestedOfGroup,
  type DataAccessRequest,
} from '@headwater/symbols/contract'
import type { DataPrepSymbols, Tile } from '@headwater/tile-data/contract'
import { useInsightData } from '@headwater/tile-data/web'
import { call, message, toastError, useProductConfig } from '@headwater/web-kit'

/** A request for access to the data of a tile. */
export interface AccessRequest {
  /** Sends the request. */
  send: () => void
  /** Whether the request is being sent. */
  sending: boolean
  /** Whether the request was sent. */
  sent: boolean
}

/**
 * Returns the request for access to the data of a tile, which goes to the administrators. Undefined where it is not
 * possible: in other environments, in unsaved insights, and for visitors.
 */
export function useAccessRequest(
  { title }: Tile,
  symbols: readonly DataPrepSymbols[],
  groups: readonly string[],
): AccessRequest | undefined {
  const { environment } = useProductConfig()
  const { name } = useInsightData()
  const request = useMutation({
    mutationFn: (body: DataAccessRequest) => call(requestDataAccess, { body }, { keep: true }),
    onSuccess: () => message('Your request was sent to the administrators.', 'success'),
    onError: (error) => void toastError(error),
  })
  if (name === undefined || groups.length === 0 || !dataRequestEnvironments.includes(environment))
    return undefined
  const { insightName, groupName: insightGroup } = name
  const requestedData = requestedOf(symbols, groups)
  return {
    send: () => request.mutate({ insightName, insightGroup, tileTitle: title, requestedData }),
    sending: request.isPending,
    sent: request.isSuccess,
  }
}

/** Invalid metadata of a definition must not fail the request. */
const metadataOf = requestedOfGroup.shape.metadata.catch({})

/** Returns the requested data of each group: the symbol with its metadata if there is only one, otherwise the whole group. */
function requestedOf(
  symbols: readonly DataPrepSymbols[],
  groups: readonly string[],
): DataAccessRequest['requestedData'] {
  return Object.fromEntries(
    groups.map((group) => {
      const wanted = symbols.filter(({ groupName }) => groupName === group)
      const [only] = wanted
      const isOne = wanted.length === 1 && only !== undefined
      return [
        group,
        {
          symbols: isOne ? only.symbols : {},
          metadata: isOne ? metadataOf.parse(only['metadata']) : {},
          pattern: isOne && only.pattern === true,
        },
      ]
    }),
  )
}
