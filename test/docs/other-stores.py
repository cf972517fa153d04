"""Collections at other vector stores, which the guide about moving reads."""

import io

import chromadb
from openai import OpenAI
from qdrant_client import QdrantClient, models

rows = [([1.0, 0.0, 0.0, float(i)], f"Green tea {i}", {"year": 2020 + i}) for i in range(300)]

qdrant = QdrantClient(path="qdrant")
qdrant.create_collection("articles", vectors_config=models.VectorParams(size=4, distance=models.Distance.COSINE))
qdrant.upsert(
    "articles",
    [models.PointStruct(id=at, vector=vector, payload={"text": text, **data}) for at, (vector, text, data) in enumerate(rows)],
)
qdrant.close()

vectors, texts, metadata = zip(*rows)
chroma = chromadb.PersistentClient("chroma").create_collection("articles", embedding_function=None)
chroma.add(ids=[str(at) for at in range(len(rows))], embeddings=list(vectors), documents=list(texts), metadatas=list(metadata))

openai = OpenAI()
store = openai.vector_stores.create(name="articles")
file = io.BytesIO(b"Green tea is brewed at eighty degrees.")
openai.vector_stores.files.upload_and_poll(vector_store_id=store.id, file=("tea.md", file))
