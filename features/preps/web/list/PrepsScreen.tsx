import { useLocation, useNavigate, useSearchParams } from 'react-router'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Button,
  EmptyState,
  links,
  NothingFound,
  Page,
  PageHeader,
  SearchField,
  Tabs,
  Toolbar,
} from '@headwater/web-kit'
import { FavouritesTable, PrepsTable } from './PrepsTable.tsx'

const tabs = [
  { value: 'all', label: 'All' },
  { value: 'favourites', label: 'Favourites' },
]

/** Page with the data preps of readable groups. */
export default function PrepsScreen() {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const canWrite = useCan()('DataPreps', 'RW', 'Storage')
  const text = search.get('query') ?? ''
  const show = search.get('show') === 'favourites' ? 'favourites' : 'all'
  function set(name: string, value: string) {
    const next = new URLSearchParams(search)
    if (value === '') next.delete(name)
    else next.set(name, value)
    void navigate({ pathname, search: next.toString(), hash }, { replace: true })
  }
  const create = canWrite ? (
    <Button variant="primary" icon={<IconPlus size={16} stroke={1.6} />} href={links.dataPrepNew()}>
      New data prep
    </Button>
  ) : undefined
  return (
    <Page>
      <PageHeader actions={create} />
      <Toolbar>
        <Tabs
          label="Data preps"
          value={show}
          tabs={tabs}
          onChange={(value) => set('show', value === 'all' ? '' : value)}
        />
        {show === 'all' ? (
          <SearchField
            label="Search data preps"
            width={300}
            value={text}
            onChange={(query) => set('query', query)}
          />
        ) : null}
      </Toolbar>
      {show === 'favourites' ? (
        <FavouritesTable />
      ) : (
        <PrepsTable
          text={text}
          empty={
            text === '' ? (
              <EmptyState
                icon={<IconTable size={20} stroke={1.6} />}
                title="No data preps yet"
                action={create}
              >
                {canWrite
                  ? 'A data prep is a saved query: choose symbols and a range, preview the result, and run it to write a file.'
                  : 'Data preps in groups you can read appear here. Ask the owner of a group for access.'}
              </EmptyState>
            ) : (
              <NothingFound what="data preps" onShowAll={() => set('query', '')}>
                Search for part of a name, or for a group with groupName=…
              </NothingFound>
            )
          }
        />
      )}
    </Page>
  )
}
