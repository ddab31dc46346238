import { countOf } from '@headwater/contract'

/** A kind of object that a deletion also removes. */
export interface Loss {
  /** Number of objects. Kinds with zero objects are not listed. */
  count: number
  /** Singular noun, for example `file`. */
  one: string
  /** Plural noun; default `one` plus “s”. */
  many?: string
}

/** Lists the objects that a deletion also removes, with counts: `3 files and 1 pipeline will be deleted too.` */
export function LossNote({ losses, none }: { losses: readonly Loss[]; none?: string }) {
  const parts = losses.filter(({ count }) => count > 0)
  if (parts.length === 0) return none === undefined ? null : <p>{none}</p>
  const list = new Intl.ListFormat('en-GB').format(
    parts.map(({ count, one, many }) => countOf(count, one, many)),
  )
  return <p>{`${list} will be deleted too.`}</p>
}
