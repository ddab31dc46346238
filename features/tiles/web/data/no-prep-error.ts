import { ApiError } from '@headwater/web-kit'
import { noPrepMessage } from '../../contract/index.ts'
import type { DataPrepAddress } from '../../core/sources/tile-source.ts'

/** A data prep that is gone, or that the user may not see. */
export class NoPrepError extends ApiError {
  /** Which one it is, for whoever looks for it; undefined when only its id is known. */
  readonly detail: string | undefined

  constructor({ status, code }: ApiError, address: DataPrepAddress) {
    super({ status, code, message: noPrepMessage })
    this.detail = 'name' in address ? `Data prep: ${address.name} in ${address.groupName}.` : undefined
  }
}
