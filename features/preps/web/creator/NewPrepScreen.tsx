import { useState } from 'react'
import { useSettings } from '@headwater/accounts/web'
import { newDataPrep } from '../../contract/index.ts'
import { entryOfSymbol } from './basket.ts'
import { PrepWorkspace } from './PrepWorkspace.tsx'
import { useCreatorPlace } from './use-creator-place.ts'

/** The creator of a new data prep. A symbol that the URL names lies in the basket from the start. */
export default function NewPrepScreen() {
  const { groupName, filters } = useCreatorPlace()
  const group = useSettings()?.defaultGroup ?? ''
  const [begin] = useState(() => {
    const values = Object.values(filters)
    const isSymbol =
      groupName !== undefined && values.length > 0 && !values.some((value) => value.includes('*'))
    const symbols = isSymbol ? [entryOfSymbol({ groupName, symbols: filters, metadata: {} })] : []
    return { ...newDataPrep(group), symbols }
  })
  return <PrepWorkspace begin={begin} />
}
