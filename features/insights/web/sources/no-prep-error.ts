import { ApiError } from '@headwater/web-kit'
import type { DataPrepAddress } from './tile-source.ts'

/** What is said of a data prep that is gone, or that the user may not see. */
export const noPrepMessage = 'User is not authorized to the data prep or the data prep does not exist.'

/** A data prep that is gone, or that the user may not see. */
export class NoPrepError extends ApiError {
  /** Which one it is, for whoever looks for it; undefined when only its id is known. */
  readonly detail: string | undefined

  constructor({ status, code }: ApiError, address: DataPrepAddress) {
    super({ status, code, message: noPrepMessage })
    this.detail = 'name' in address ? `It is called ${address.name}, of ${address.groupName}.` : undefined
  }
}
