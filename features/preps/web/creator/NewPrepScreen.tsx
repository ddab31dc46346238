import { useState } from 'react'
import { useSettings } from '@headwater/accounts/web'
import { newDataPrep } from '../../contract/index.ts'
import { entryOfSymbol } from './basket.ts'
import { PrepWorkspace } from './PrepWorkspace.tsx'
import { useCreatorPlace } from './use-creator-place.ts'

/** The creator of a new data prep. Symbols that the URL names lie in the basket from the start. */
export default function NewPrepScreen() {
  const { named } = useCreatorPlace()
  const group = useSettings()?.defaultGroup ?? ''
  const [begin] = useState(() => ({
    ...newDataPrep(group),
    symbols: named.map((symbol) => entryOfSymbol({ ...symbol, metadata: {} })),
  }))
  return <PrepWorkspace begin={begin} />
}
