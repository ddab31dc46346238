import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Button,
  EmptyState,
  links,
  Page,
  PageHeader,
  SearchField,
  Toolbar,
  useEscape,
} from '@headwater/web-kit'
import { SymbolGroups } from '../components/SymbolGroups.tsx'
import { SymbolPanel } from '../components/SymbolPanel.tsx'
import { SymbolsTable } from '../components/SymbolsTable.tsx'
import { useStorageState } from '../use-storage-state.ts'
import styles from './SymbolsScreen.module.css'

/** The storage: symbols by group, with a preview of their last values. */
export default function SymbolsScreen() {
  const { groupName, text, opened, setText, open } = useStorageState()
  const can = useCan()
  useEscape(opened !== undefined, () => open(undefined))
  const lake = can('Groups', 'R', 'Lake') ? (
    <Button
      href={groupName === undefined ? links.lake('groups') : links.group(groupName)}
      icon={<IconDatabase size={16} stroke={1.6} />}
    >
      {groupName === undefined ? 'Data lake' : 'Files'}
    </Button>
  ) : undefined
  return (
    <div className={styles.screen} data-opened={opened !== undefined || undefined}>
      <Page
        asideLabel="Preview"
        aside={
          opened === undefined ? undefined : <SymbolPanel address={opened} onClose={() => open(undefined)} />
        }
      >
        <PageHeader actions={lake} />
        <div className={styles.columns}>
          <div className={styles.groups}>
            <SymbolGroups current={groupName} text={text} />
          </div>
          <div className={styles.symbols}>
            <Toolbar>
              <h1 className={styles.title}>{groupName ?? 'All groups'}</h1>
              <SearchField
                mono
                label="Search symbols"
                placeholder="text, symbols.Code=BR*, metadata.Unit=USD"
                value={text}
                onChange={setText}
              />
            </Toolbar>
            <SymbolsTable
              key={groupName}
              groupName={groupName}
              text={text}
              opened={opened}
              onOpen={open}
              empty={
                text === '' ? (
                  <EmptyState
                    icon={<IconChartLine size={28} stroke={1.4} />}
                    title="No symbols yet"
                    action={lake}
                  >
                    Upload an NCSV file; each of its rows names a symbol, a date and values.
                  </EmptyState>
                ) : (
                  <EmptyState title="Sorry, nothing found!" />
                )
              }
            />
          </div>
        </div>
      </Page>
    </div>
  )
}
