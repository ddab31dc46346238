import { useNavigate, useParams, useSearchParams } from 'react-router'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconFileDiff from '@tabler/icons-react/dist/esm/icons/IconFileDiff.mjs'
import { VersionsPage } from '@headwater/items/web'
import { Button, links, useInfiniteList } from '@headwater/web-kit'
import { listTaskVersions } from '../../contract/index.ts'
import { type ComparedVersions, CompareVersionsDialog } from './CompareVersionsDialog.tsx'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Page with the versions of a task. The creator opens a version and can save it as the newest; two versions can be compared. */
export default function TaskVersionsScreen() {
  const { id: taskId = '' } = useParams()
  const [compared, setCompared] = useComparedVersions()
  const list = useInfiniteList(listTaskVersions, { params: { taskId }, query: {} })
  const [newest, earlier] = list.rows ?? []
  return (
    <>
      <VersionsPage
        {...list}
        title={newest && `Versions of ${newest.readableName}`}
        actions={
          <>
            {newest === undefined || earlier === undefined ? null : (
              <Button
                icon={<IconFileDiff {...icon} />}
                onClick={() => setCompared({ before: earlier.version, after: newest.version })}
              >
                Compare versions
              </Button>
            )}
            <Button icon={<IconEdit {...icon} />} href={links.task(taskId)}>
              Open task
            </Button>
          </>
        }
        hrefOf={({ id, version, latest }) => links.task(id, latest ? {} : { version })}
        authorOf={({ modifiedBy }) => modifiedBy}
      />
      {compared === undefined || newest === undefined ? null : (
        <CompareVersionsDialog
          taskId={taskId}
          versions={Array.from({ length: newest.version }, (_, at) => newest.version - at)}
          compared={compared}
          onChange={setCompared}
          onClose={() => setCompared(undefined)}
        />
      )}
    </>
  )
}

/** The compared versions, stored in the URL as `compare=1-3`. */
function useComparedVersions() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const [, before, after] = /^(\d{1,9})-(\d{1,9})$/.exec(search.get('compare') ?? '') ?? []
  const set = (compared: ComparedVersions | undefined): void => {
    const next = compared === undefined ? '' : `?compare=${compared.before}-${compared.after}`
    void navigate({ search: next }, { replace: true })
  }
  return [
    before === undefined || after === undefined
      ? undefined
      : { before: Number(before), after: Number(after) },
    set,
  ] as const
}
