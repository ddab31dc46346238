import { useNavigate, useSearchParams } from 'react-router'
import { Page, SearchField, Toolbar, links } from '@headwater/web-kit'
import { SearchResults } from '../shell/SearchResults.tsx'

/** The global search as a page, with the text in the URL. */
export default function SearchPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const text = search.get('query') ?? ''
  return (
    <Page>
      <Toolbar>
        <SearchField
          label="Search all"
          placeholder="Search by name or id"
          value={text}
          onChange={(next) => void navigate(links.search(next), { replace: true })}
        />
      </Toolbar>
      <SearchResults text={text.trim()} />
    </Page>
  )
}
