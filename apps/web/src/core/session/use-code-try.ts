import { useState } from 'react';
import { type CodeProblem, problemOf } from './code-problem.ts';

export interface CodeTry {
  problem: CodeProblem | undefined;
  isWaiting: boolean;
  /** Grows with each refused code: as a key it empties the field. */
  tries: number;
  give: (code: string) => Promise<void>;
  /** Something around the code failed, such as sending it. */
  fail: (error: unknown) => void;
  clear: () => void;
}

/** A code on its way to somebody who judges it. */
export function useCodeTry(judge: (code: string) => Promise<void>): CodeTry {
  const [problem, setProblem] = useState<CodeProblem>();
  const [isWaiting, setIsWaiting] = useState(false);
  const [tries, setTries] = useState(0);

  async function give(code: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      await judge(code);
    } catch (error) {
      setProblem(problemOf(error));
      setTries((count) => count + 1);
    } finally {
      setIsWaiting(false);
    }
  }

  return {
    problem,
    isWaiting,
    tries,
    give,
    fail: (error) => setProblem(problemOf(error)),
    clear: () => setProblem(undefined),
  };
}
