import { queryOptions } from '@tanstack/react-query'
import { getDataPrep, getDataPrepByName, type DataPrepDetails } from '@headwater/preps/contract'
import { ApiError, call } from '@headwater/web-kit'
import { NoPrepError } from './no-prep-error.ts'
import type { DataPrepAddress } from '../../core/sources/tile-source.ts'

/** Returns the query that loads a saved data prep. */
export function savedPrepQuery(address: DataPrepAddress | undefined) {
  return queryOptions({
    queryKey: ['tileDataPrep', address],
    queryFn: ({ signal }) => readPrep(address!, signal),
  })
}

async function readPrep(address: DataPrepAddress, signal: AbortSignal): Promise<DataPrepDetails> {
  try {
    if ('id' in address) return await call(getDataPrep, { params: { id: address.id }, query: {} }, { signal })
    const query = { ...address, latest: true, withMetadata: false, resolvePattern: false }
    return await call(getDataPrepByName, { query }, { signal })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404))
      throw new NoPrepError(error, address)
    throw error
  }
}
