# Makes trec-eval.json: three seeded collections with the figures of trec_eval, by pytrec-eval-terrier 0.5.11.
#   python -m venv venv && venv/bin/pip install pytrec-eval-terrier==0.5.11
#   venv/bin/python test/evaluations/make-reference.py > test/evaluations/trec-eval.json
import json
import random

import pytrec_eval

QUESTIONS = 30
HITS = 20
K = 10
MEASURES = {"ndcg_cut_10", f"recall_{K}", "recip_rank", "success_1"}
NAMES = {"ndcg_cut_10": "ndcg_at_10", f"recall_{K}": "recall_at_k", "recip_rank": "mrr", "success_1": "hit_at_1"}

# One relevant row each, several of equal grade, and graded ones of which some are judged to be irrelevant.
COLLECTIONS = {"single": (1, [1]), "several": (12, [1]), "graded": (15, [0, 0, 1, 2, 3])}


def collection(name, relevant, grades):
    draw = random.Random(f"trec {name}")
    questions = []
    for number in range(QUESTIONS):
        rows = [f"{name}-{number}-{row}" for row in range(3 * HITS)]
        judged = draw.sample(rows, draw.randint(1, relevant))
        qrel = {row: draw.choice(grades) for row in judged}
        if all(grade == 0 for grade in qrel.values()):
            qrel[judged[0]] = grades[-1]
        # A better search finds judged rows earlier.
        hits = sorted(rows, key=lambda row: draw.random() - (0.4 if row in qrel else 0))[:HITS]
        questions.append({"relevant": qrel, "hits": hits})
    # trec_eval orders hits by score, so scores fall by rank.
    run = {str(at): {row: float(HITS - rank) for rank, row in enumerate(one["hits"])} for at, one in enumerate(questions)}
    qrels = {str(at): one["relevant"] for at, one in enumerate(questions)}
    measured = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)
    for at, one in enumerate(questions):
        one["metrics"] = {NAMES[measure]: value for measure, value in measured[str(at)].items()}
    return {"name": name, "k": K, "questions": questions}


print(json.dumps([collection(name, *shape) for name, shape in COLLECTIONS.items()]))
