import { ApiError } from '@headwater/web-kit'
import { noPrepMessage } from '../../contract/index.ts'
import type { DataPrepAddress } from '../../core/sources/tile-source.ts'

/** Error for a data prep that does not exist or that the user cannot read. */
export class NoPrepError extends ApiError {
  /** Name and group of the data prep; undefined if only its id is known. */
  readonly detail: string | undefined

  constructor({ status, code }: ApiError, address: DataPrepAddress) {
    super({ status, code, message: noPrepMessage })
    this.detail = 'name' in address ? `Data prep: ${address.name} in ${address.groupName}.` : undefined
  }
}
