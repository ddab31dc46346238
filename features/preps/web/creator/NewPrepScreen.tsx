import { useState } from 'react'
import { useSettings } from '@headwater/accounts/web'
import { newDataPrep } from '../../contract/index.ts'
import { entryOfSymbol } from './basket.ts'
import { PrepWorkspace } from './PrepWorkspace.tsx'
import { useCreatorUrl } from './use-creator-url.ts'

/** Creator of a new data prep. The basket starts with the symbols of the URL. */
export default function NewPrepScreen() {
  const { named } = useCreatorUrl()
  const group = useSettings()?.defaultGroup ?? ''
  const [begin] = useState(() => ({
    ...newDataPrep(group),
    symbols: named.map((symbol) => entryOfSymbol({ ...symbol, metadata: {} })),
  }))
  return <PrepWorkspace begin={begin} />
}
