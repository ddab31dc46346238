import { useState } from 'react'
import IconTemplate from '@tabler/icons-react/dist/esm/icons/IconTemplate.mjs'
import {
  EmptyState,
  ErrorState,
  GroupLink,
  intervals,
  links,
  NothingFound,
  Page,
  PageHeader,
  Panel,
  SearchField,
  Skeleton,
  TextLink,
  Time,
  Toolbar,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchInsightTemplates } from '../../../contract/index.ts'
import { templateLink } from '../../templates/template-link.ts'
import styles from './Templates.module.css'

/** The gallery of templates for new insights. */
export default function TemplatesScreen() {
  const [text, setText] = useState('')
  const list = useInfiniteList(
    searchInsightTemplates,
    { query: { query: text } },
    { intervalMs: intervals.listMs },
  )
  return (
    <Page>
      <PageHeader title="Templates" />
      <Toolbar>
        <SearchField label="Search templates" width={300} value={text} onChange={setText} />
      </Toolbar>
      {list.error !== null ? (
        <ErrorState title="Templates cannot be displayed" error={list.error} onRetry={list.onRetry} />
      ) : list.rows === undefined ? (
        <Skeleton lines={6} />
      ) : list.rows.length === 0 ? (
        <NoTemplates isSearched={text !== ''} />
      ) : (
        <ul className={styles.gallery} aria-label="Templates">
          {list.rows.map((template) => (
            <li key={`${template.groupName}/${template.name}`}>
              <Panel
                className={styles.card}
                title={
                  <TextLink href={templateLink(template.groupName, template.name)}>{template.name}</TextLink>
                }
              >
                <div className={styles.body}>
                  <p>{template.description || 'No description'}</p>
                  <p className={styles.quiet}>
                    <GroupLink href={links.insightGroup(template.groupName)}>{template.groupName}</GroupLink>
                    <span>
                      {template.owner}, <Time value={template.modified} />
                    </span>
                  </p>
                </div>
              </Panel>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

function NoTemplates({ isSearched }: { isSearched: boolean }) {
  if (isSearched) return <NothingFound>Try other words.</NothingFound>
  return (
    <EmptyState icon={<IconTemplate size={20} stroke={1.6} />} title="No templates yet">
      Open an insight and choose “Save as template” from its actions. You can then create insights from it
      here.
    </EmptyState>
  )
}
