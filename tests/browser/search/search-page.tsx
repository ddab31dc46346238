import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { SearchField } from '@headwater/web-kit'

/** Applies a search only when the test requires it, like a page that is slow to change its URL. */
function SearchPage() {
  const [value, setValue] = useState('')
  const [searches, setSearches] = useState<string[]>([])
  return (
    <>
      <SearchField
        label="Search"
        value={value}
        delayMs={0}
        onChange={(text) => setSearches((earlier) => [...earlier, text])}
      />
      <button
        onClick={() => {
          setValue(searches[0] ?? value)
          setSearches(searches.slice(1))
        }}
      >
        Apply next
      </button>
      <button onClick={() => setValue('reset')}>Reset</button>
      <output>{JSON.stringify({ value, searches })}</output>
    </>
  )
}

createRoot(document.getElementById('root')!).render(<SearchPage />)
