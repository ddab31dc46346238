import { Badge, type Column } from '@headwater/web-kit'
import styles from './tags-column.module.css'

/** A column with the tags of pipelines or runs. */
export function tagsColumn<Row extends { tags: readonly string[] }>(
  position: Pick<Column<Row>, 'width' | 'priority'>,
): Column<Row> {
  return {
    id: 'tags',
    header: 'Tags',
    ...position,
    text: ({ tags }) => tags.join(', '),
    cell: ({ tags }) => (
      <span className={styles.tags}>
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </span>
    ),
  }
}
