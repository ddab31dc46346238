import { useParams } from 'react-router'
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import { VersionsPage } from '@headwater/items/web'
import { Button, links, useInfiniteList } from '@headwater/web-kit'
import { listTaskVersions } from '../../contract/index.ts'
import { TaskDifference } from './TaskDifference.tsx'

/**
 * Page with the versions of a task. Users can compare two versions, or open a version in the creator and save it as the newest.
 */
export default function TaskVersionsScreen() {
  const { id: taskId = '' } = useParams()
  const list = useInfiniteList(listTaskVersions, { params: { taskId }, query: {} })
  const newest = list.rows?.[0]
  return (
    <VersionsPage
      {...list}
      title={newest && `Versions of ${newest.readableName}`}
      actions={
        <Button icon={<IconEdit size={16} stroke={1.6} aria-hidden="true" />} href={links.task(taskId)}>
          Open task
        </Button>
      }
      hrefOf={({ id, version, latest }) => links.task(id, latest ? {} : { version })}
      authorOf={({ modifiedBy }) => modifiedBy}
      difference={(compared) => <TaskDifference taskId={taskId} compared={compared} />}
    />
  )
}
