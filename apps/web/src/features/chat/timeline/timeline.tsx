import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { DayChip } from './day-chip.tsx';
import { JumpButton } from './jump-button.tsx';
import { isAboveViewport } from './is-above-viewport.ts';
import { findRow, type Row } from './list-rows.ts';
import { moveFocus } from './move-focus.ts';
import { UnreadLine } from './unread-line.tsx';
import { useOpeningPosition } from './use-opening-position.ts';

/** Within this distance of the end the timeline counts as scrolled to the end. */
const END_PX = 100;
/** Requests the next page when this many unseen rows remain. */
const LOOK_AHEAD = 15;

export interface TimelineHandle {
  scrollToEnd(): void;
  /** Scrolls to a message if it is loaded. */
  scrollToMessage(id: string): void;
}

interface TimelineProps<M extends { id: string; sender: string; at: number }> {
  ref?: Ref<TimelineHandle>;
  rows: readonly Row<M>[];
  renderRow: (row: Extract<Row<M>, { kind: 'message' | 'album' }>) => ReactNode;
  /** Estimated height before the row is rendered; a good estimate keeps the scroll bar steady. */
  estimateHeight: (row: Extract<Row<M>, { kind: 'message' | 'album' }>) => number;
  /** Unread messages when the chat was opened, and now. */
  unreadCount: number;
  newCount: number;
  /** Requests older messages. */
  onReachTop: () => void;
  /** The user has scrolled near the end of the loaded messages. */
  onReachEnd: () => void;
  /** The last row is visible. */
  onSeen: () => void;
  /** Newer messages exist outside the loaded ones: the button loads the end of the chat. */
  hasNewer: boolean;
  onJumpToEnd: () => void;
}

/**
 * Virtualized list of messages. The visible rows keep their position while rows above them arrive, grow or leave. New
 * messages scroll the list only if the user is at the end.
 */
export function Timeline<M extends { id: string; sender: string; at: number }>(props: TimelineProps<M>) {
  const {
    ref,
    rows,
    renderRow,
    estimateHeight,
    unreadCount,
    newCount,
    onReachTop,
    onReachEnd,
    onSeen,
    hasNewer,
    onJumpToEnd,
  } = props;
  const { t } = useTranslation('chat');
  const scroller = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  // The virtualizer mutates itself, so React Compiler skips this component, as intended.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => estimateRow(rows[index], estimateHeight),
    anchorTo: 'end',
    followOnAppend: !hasNewer,
    scrollEndThreshold: END_PX,
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 12,
    useAnimationFrameWithResizeObserver: false,
    onChange: (instance) => {
      setIsAway(!instance.isAtEnd(Math.max(END_PX, instance.scrollRect?.height ?? 0)));
    },
  });

  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isAboveViewport;

  const leaveOpening = useOpeningPosition(scroller, virtualizer, rows);
  useStickingToEnd(scroller, virtualizer, !hasNewer);
  useImperativeHandle(
    ref,
    () => ({
      scrollToEnd() {
        leaveOpening();
        virtualizer.scrollToEnd();
      },
      scrollToMessage(id) {
        const index = findRow(rows, id);
        leaveOpening();
        if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
      },
    }),
    [virtualizer, rows, leaveOpening],
  );

  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  const isNearTop = rows.length > 0 && first <= LOOK_AHEAD;
  const isNearEnd = rows.length > 0 && last >= rows.length - LOOK_AHEAD;
  const oldest = rows[0]?.key;
  const newest = rows.at(-1)?.key;
  useEffect(() => {
    if (isNearTop) onReachTop();
  }, [isNearTop, oldest, onReachTop]);
  useEffect(() => {
    if (isNearEnd) onReachEnd();
  }, [isNearEnd, newest, onReachEnd]);
  const isAtLast = rows.length > 0 && last >= rows.length - 1 && !isAway;
  useEffect(() => {
    if (!isAtLast) return;
    onSeen();
    // The end becomes visible again when the user returns to the browser window.
    window.addEventListener('focus', onSeen);
    return () => window.removeEventListener('focus', onSeen);
  }, [isAtLast, newest, onSeen]);

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    moveFocus(event, { toEnd: handleJump, toStart: () => virtualizer.scrollToIndex(0) });
  }

  function handleJump(): void {
    leaveOpening();
    if (hasNewer) onJumpToEnd();
    else virtualizer.scrollToEnd({ behavior: isCalm() ? 'auto' : 'smooth' });
  }

  return (
    <div className="relative min-h-0 grow">
      <div
        ref={scroller}
        role="feed"
        aria-label={t('timeline.label')}
        tabIndex={0}
        onKeyDown={handleKeyDown}
        className="h-full overflow-x-hidden overflow-y-auto overscroll-contain px-2 [overflow-anchor:none] sm:px-4"
      >
        {/* Aligns a short chat to the bottom. */}
        <div className="flex min-h-full flex-col justify-end">
          <div className="relative mx-auto w-full max-w-[55rem]" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, key, start }) => {
              const row = rows[index];
              return (
                row && (
                  <div
                    key={key}
                    ref={virtualizer.measureElement}
                    data-index={index}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    {row.kind === 'day' && <DayChip at={row.at} />}
                    {row.kind === 'unread' && <UnreadLine count={unreadCount} />}
                    {(row.kind === 'message' || row.kind === 'album') && renderRow(row)}
                  </div>
                )
              );
            })}
          </div>
        </div>
      </div>
      <JumpButton isShown={isAway || hasNewer} count={newCount} onPress={handleJump} />
    </div>
  );
}

/** Keeps the list at the end when its height changes: the composer grows, a bar opens, or the on-screen keyboard. */
function useStickingToEnd(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  isEnd: boolean,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isEnd) return;
    let height = element.clientHeight;
    const watcher = new ResizeObserver(() => {
      const grown = height - element.clientHeight;
      height = element.clientHeight;
      const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (grown !== 0 && fromEnd - Math.max(0, grown) < END_PX) virtualizer.scrollToEnd();
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [scroller, virtualizer, isEnd]);
}

const DAY_PX = 44;

function estimateRow<M extends { id: string; sender: string; at: number }>(
  row: Row<M> | undefined,
  estimateHeight: TimelineProps<M>['estimateHeight'],
): number {
  return row?.kind === 'message' || row?.kind === 'album' ? estimateHeight(row) : DAY_PX;
}

/** Whether the system or the app's settings ask for reduced motion. */
function isCalm(): boolean {
  return (
    matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.dataset['motion'] === 'none'
  );
}
