// Any ids, token types, lengths, texts to look into, interventions and indices on models of random
// weights: refused in a sentence or answered with finite numbers, and never anything else. Of a
// model whose products overflow, only flows must be finite.
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "analysis/contributions.h"
#include "analysis/head_survey.h"
#include "analysis/pass_measures.h"
#include "fuzzer/FuzzedDataProvider.h"
#include "kernels/kernels.h"
#include "model/generation.h"
#include "model/session.h"
#include "model/weights_builder.h"
#include "support/kernel_sets.h"
#include "support/random.h"

using namespace bertscope;

namespace {

constexpr std::size_t kPositions = 6;
constexpr std::size_t kVocabulary = 9;

Weights randomWeights(const ModelConfig& config, Precision precision, float largest) {
  auto builder = WeightsBuilder::create(config, precision);
  if (!builder.ok()) std::abort();
  Weights places;
  places.config = config;
  places.makeLayers();
  places.word_head.emplace();
  test::Random random(1);
  for (const TensorSlot& slot : tensorSlots(places)) {
    const std::vector<float> values = random.vector(slot.rows * slot.cols, -largest, largest);
    auto writer = builder.value().begin(slot.name, "F32", slot.shape());
    if (!writer.ok() || !writer.value()->append(std::as_bytes(std::span(values))).ok() ||
        !builder.value().commit(std::move(*writer.value())).ok()) {
      std::abort();
    }
  }
  auto weights = builder.value().finish();
  if (!weights.ok()) std::abort();
  return std::move(weights.value());
}

struct Model {
  Session session;
  bool is_finite;  // else its products overflow
};

std::vector<Model> makeModels() {
  ModelConfig bert;
  bert.hidden_size = 6;
  bert.layers = 3;
  bert.heads = 2;
  bert.intermediate_size = 5;
  bert.positions = kPositions;
  bert.token_types = 2;
  bert.vocabulary = kVocabulary;
  ModelConfig roberta = bert;
  roberta.token_types = 0;
  roberta.position_offset = 2;
  ModelConfig albert = bert;
  albert.embedding_size = 4;
  albert.layer_groups = 1;
  ModelConfig gpt2 = bert;
  gpt2.token_types = 0;
  gpt2.norm_before = gpt2.is_causal = true;
  gpt2.embedding_norm = gpt2.word_head_transform = gpt2.word_head_bias = false;
  ModelConfig modern = bert;
  modern.hidden_size = 8;
  modern.token_types = 0;
  modern.norm_before = modern.is_gated = true;
  modern.first_norm = modern.norm_bias = modern.linear_bias = false;
  modern.rotary_base = 100;
  modern.local_rotary_base = 10;
  modern.window = 1;
  modern.global_every = 2;
  ModelConfig marian = bert;
  marian.token_types = 0;
  marian.is_causal = marian.cross_attention = true;
  marian.sinusoidal_positions = marian.scaled_embeddings = true;
  marian.embedding_norm = marian.word_head_transform = false;
  marian.activation = kernels::Activation::kSwish;
  ModelConfig bart = marian;
  bart.sinusoidal_positions = bart.scaled_embeddings = false;
  bart.embedding_norm = bart.own_words = bart.counts_padding = true;
  bart.position_offset = 2;
  ModelConfig bare = marian;  // no family, but all that a block can do
  bare.norm_before = bare.is_gated = true;
  bare.linear_bias = bare.norm_bias = bare.word_head_bias = false;
  ModelConfig llama = gpt2;
  llama.hidden_size = 8;
  llama.heads = 4;
  llama.key_value_heads = 2;
  llama.rms_norm = llama.is_gated = llama.own_gate = llama.projection_bias = true;
  llama.linear_bias = llama.norm_bias = false;
  llama.rotary_base = 100;
  ModelConfig neox = gpt2;
  neox.hidden_size = 8;
  neox.heads = 2;
  neox.is_parallel = true;
  neox.rotary_base = 100;
  neox.rotary_width = 2;
  ModelConfig deberta = bert;
  deberta.token_types = 0;
  deberta.distance_vectors = deberta.no_positions = true;
  deberta.distance_buckets = 8;
  deberta.greatest_distance = 5;
  std::vector<Model> models;
  for (const ModelConfig& config :
       {bert, roberta, albert, gpt2, modern, marian, bart, bare, llama, neox, deberta}) {
    for (const Precision precision : {Precision::kInt8, Precision::kFloat32}) {
      models.push_back({{randomWeights(config, precision, 1), kernels::simd128Kernels()}, true});
    }
  }
  for (const ModelConfig& config : {marian, bart}) {
    for (const kernels::KernelSet* kernels : test::allKernelSets()) {
      models.push_back({{randomWeights(config, Precision::kInt8, 1), *kernels}, true});
    }
  }
  for (const ModelConfig& config : {bert, marian}) {
    models.push_back(
        {{randomWeights(config, Precision::kFloat32, 1e38f), kernels::simd128Kernels()}, false});
  }
  return models;
}

// Mostly one that exists, or the first that does not.
std::size_t anyIndex(FuzzedDataProvider& data, std::size_t count) {
  return data.ConsumeIntegralInRange(0, 30) == 1
             ? data.ConsumeIntegral<std::size_t>()
             : data.ConsumeIntegralInRange<std::size_t>(0, count);
}

float anyNumber(FuzzedDataProvider& data) {
  static constexpr std::array<float, 6> kPlain{0, 0.25f, 0.5f, 1, 2, 100};
  if (data.ConsumeIntegralInRange(0, 7) != 1) return data.PickValueInArray(kPlain);
  float value;
  const auto bits = data.ConsumeIntegral<std::uint32_t>();  // NaN and infinity too
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

using Kept = std::shared_ptr<const KeptPass>;

Interventions anyInterventions(FuzzedDataProvider& data, const Kept& kept) {
  const auto few = [&data] { return data.ConsumeIntegralInRange(0, 3); };
  Interventions changes;
  for (int i = few(); i > 0; --i) {
    changes.heads.push_back(
        {anyIndex(data, 3), anyIndex(data, 2), anyNumber(data), data.ConsumeBool()});
  }
  for (int i = few(); i > 0; --i) {
    changes.edges.push_back({anyIndex(data, 3), anyIndex(data, 2), anyIndex(data, kPositions),
                             anyIndex(data, kPositions), anyNumber(data), data.ConsumeBool(),
                             data.ConsumeBool()});
  }
  for (int i = few(); i > 1; --i) changes.layers_off.push_back(anyIndex(data, 3));
  for (int i = few(); i > 1; --i) changes.masked_tokens.push_back(anyIndex(data, kPositions));
  for (int i = few(); i > 1; --i) changes.masked_source.push_back(anyIndex(data, kPositions));
  changes.causal = data.ConsumeBool();
  if (data.ConsumeBool()) {
    for (int i = data.ConsumeIntegralInRange(2, 4); i > 0; --i) {
      changes.layer_temperature.push_back(anyNumber(data));
    }
  }
  changes.score_scale = static_cast<ScoreScale>(data.ConsumeIntegralInRange(0, 2));
  changes.patches.from = kept;
  for (int i = few(); i > 1; --i) {
    Patch& patch = changes.patches.list.emplace_back(Patch{anyIndex(data, 4)});
    if (data.ConsumeBool()) patch.head = anyIndex(data, 2);
    if (data.ConsumeBool()) patch.token = anyIndex(data, kPositions);
  }
  return changes;
}

std::vector<std::int32_t> anyIntegers(FuzzedDataProvider& data, std::size_t count, int most) {
  std::vector<std::int32_t> values(count);
  for (std::int32_t& value : values) {
    value = data.ConsumeIntegralInRange(0, 30) == 1 ? data.ConsumeIntegral<std::int32_t>()
                                                    : data.ConsumeIntegralInRange(0, most);
  }
  return values;
}

Status start(Session& session, FuzzedDataProvider& data, const Kept& kept) {
  const auto sequences = data.ConsumeIntegralInRange<std::size_t>(0, 3);
  const auto tokens = data.ConsumeIntegralInRange<std::size_t>(0, kPositions + 1);
  const std::size_t more = data.ConsumeIntegralInRange(0, 20) == 1;
  const auto ids = anyIntegers(data, sequences * tokens + more, kVocabulary - 1);
  const auto types = anyIntegers(data, sequences * tokens, data.ConsumeBool());
  const auto lengths = anyIntegers(data, sequences, static_cast<int>(tokens));
  return session.start({ids, types, lengths}, anyInterventions(data, kept));
}

// The last hidden states of some encoder, mostly of the right width.
void lookInto(Session& session, FuzzedDataProvider& data) {
  const std::size_t width = session.weights().config.hidden_size;
  const bool is_right = data.ConsumeIntegralInRange(0, 7) != 1;
  Matrix<float> hidden(data.ConsumeIntegralInRange<std::size_t>(0, kPositions),
                       is_right ? width : data.ConsumeIntegralInRange<std::size_t>(0, 9));
  for (float& value : hidden.span()) value = data.ConsumeFloatingPointInRange<float>(-4, 4);
  const bool is_expected = hidden.rows() > 0 && hidden.cols() == width;
  const bool is_read = session.lookInto(hidden.view()).ok();
  if (is_read != (is_expected && session.weights().config.cross_attention)) std::abort();
}

void requireFinite(MatrixView<const float> rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (const float value : rows.row(r)) {
      if (!std::isfinite(value)) std::abort();
    }
  }
}

void requireFinite(std::span<const float> row) { requireFinite({row.data(), 1, row.size()}); }

// The flow of some queries; it is finite even where the attention is not.
void askFlow(const Session& session, std::size_t sequence, std::size_t layer,
             FuzzedDataProvider& data) {
  auto flow = flowOfPass(session, sequence, layer);
  if (!flow.ok()) return;
  for (int i = data.ConsumeIntegralInRange(0, 2); i > 0; --i) {
    if (auto row = flow.value().row(anyIndex(data, kPositions)); row.ok()) {
      requireFinite(row.value());
    }
  }
}

void askSurvey(const Session& session, std::size_t sequence, FuzzedDataProvider& data) {
  const bool is_right = data.ConsumeIntegralInRange(0, 7) != 1;
  const auto layers = is_right ? 3 : data.ConsumeIntegralInRange<std::size_t>(0, 5);
  const auto heads = is_right ? 2 : data.ConsumeIntegralInRange<std::size_t>(0, 5);
  auto survey = HeadSurvey::create(layers, heads, data.ConsumeBool());
  if (!survey.ok()) std::abort();
  std::vector<TokenClass> tokens(data.ConsumeIntegralInRange<std::size_t>(0, kPositions));
  for (TokenClass& token : tokens) {
    token = {static_cast<TokenKind>(data.ConsumeIntegralInRange(0, 3)),
             data.ConsumeIntegralInRange(-1, 2), data.ConsumeIntegralInRange(-1, 2)};
  }
  (void)survey.value().add(session, sequence, tokens).ok();
  (void)survey.value().statistics().means(HeadStatistic::kEntropy).ok();
  if (!survey.value().distances()) return;
  const auto distances = survey.value().distances()->distances();
  if (distances.ok()) (void)mapOfDistances(distances.value().view()).ok();
}

void askExplanation(const Session& session, std::size_t sequence, bool is_finite,
                    FuzzedDataProvider& data) {
  const auto method = static_cast<Method>(data.ConsumeIntegralInRange(0, 6));
  Answer answer = VectorAnswer{};
  const int kind = data.ConsumeIntegralInRange(0, 2);
  if (kind == 1) answer = WordAnswer{anyIndex(data, kPositions), anyIndex(data, kVocabulary)};
  if (kind == 2) answer = ClassAnswer{anyIndex(data, 2), anyIndex(data, 2)};
  auto explainer = explain(session, sequence, method, answer);
  if (!explainer.ok()) return;
  while (explainer.value()->step().value()) {
  }
  const Explained explained = explainer.value()->result();
  // Gradients multiply from layer to layer what is great already.
  if (!is_finite || method >= Method::kGradient) return;
  requireFinite(explained.contributions);
  requireFinite(explained.matrix.view());
}

void askContinuation(const Session& session, std::size_t sequence, bool is_finite,
                     FuzzedDataProvider& data) {
  auto text = Generation::create(session, sequence, anyIndex(data, kPositions));
  if (!text.ok()) return;
  for (const std::int32_t id : anyIntegers(data, 3, kVocabulary - 1)) {
    (void)text.value().append(id).ok();
    const auto logits = text.value().logits();
    if (is_finite && logits.ok()) requireFinite(logits.value());
  }
}

// Runs steps of a layer on some rows, in any order, and reads what they have computed.
void share(Session& session, bool is_finite, FuzzedDataProvider& data) {
  const Rows rows{anyIndex(data, kPositions), anyIndex(data, kPositions)};
  const int steps = data.ConsumeIntegralInRange(0, 7);
  if (steps & 1) (void)session.projectRows(rows).ok();
  if (steps & 2) (void)session.queryRows(rows).ok();
  if (steps & 4) (void)session.finishRows(rows).ok();
  const auto half = data.ConsumeBool() ? Session::Half::kFinished : Session::Half::kProjected;
  const auto shared = session.sharedRows(half, anyIndex(data, 3), rows);
  if (!shared.ok() || !is_finite) return;
  for (const MatrixView<float> part : shared.value()) requireFinite(part);
}

// Reads what it asks for to its last element.
void ask(Session& session, bool is_finite, FuzzedDataProvider& data) {
  const auto check = [is_finite](MatrixView<const float> rows) {
    if (is_finite) requireFinite(rows);
  };
  const std::size_t sequence = anyIndex(data, 3);
  const std::size_t layer = anyIndex(data, 3);
  const std::size_t head = anyIndex(data, 2);
  const std::size_t token = anyIndex(data, kPositions);
  const auto vectors = static_cast<Session::Vectors>(data.ConsumeIntegralInRange(0, 5));
  if (auto c = session.crossAttention(sequence, layer, head); c.ok()) check(c.value());
  if (auto a = session.attention(sequence, layer, head); a.ok()) check(a.value());
  if (auto v = session.headVectors(vectors, sequence, layer, head); v.ok()) check(v.value());
  if (auto p = session.positionScores(sequence, layer, head); p.ok()) check(p.value().view());
  if (auto h = session.hiddenStates(sequence, layer); h.ok()) check(h.value());
  (void)session.wordLogits(sequence, layer, token).ok();
  (void)session.poolerOutput(sequence).ok();
  (void)session.classifierLogits(sequence, sequence).ok();
  (void)session.wordEmbeddings(anyIntegers(data, token % 4, kVocabulary)).ok();
  (void)normsOfPass(session, sequence, layer, head).ok();
  (void)rolloutOfPass(session, sequence, layer).ok();
  askFlow(session, sequence, layer, data);
  askExplanation(session, sequence, is_finite, data);
  askContinuation(session, sequence, is_finite, data);
  askSurvey(session, sequence, data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const std::vector<Model> models = makeModels();
  FuzzedDataProvider data(bytes, size);
  const Model& model = models[data.ConsumeIntegralInRange<std::size_t>(0, models.size() - 1)];
  Session session = model.session.sibling();
  Kept kept;
  if (session.weights().config.cross_attention) lookInto(session, data);
  while (data.remaining_bytes() > 0) {
    switch (data.ConsumeIntegralInRange(0, 7)) {
      case 0:
        (void)start(session, data, kept).ok();
        break;
      case 1:
        (void)session.change(anyInterventions(data, kept)).ok();
        break;
      case 2:
        (void)session.runLayer(anyIndex(data, 3)).ok();
        break;
      case 6:
        (void)session.attendLayer(anyIndex(data, 3)).ok();
        break;
      case 3:
        while (session.runLayer(session.layersDone()).ok()) {
        }
        if (auto pass = session.keep(0); pass.ok()) kept = pass.value();
        break;
      case 4:
        lookInto(session, data);
        break;
      case 5:
        share(session, model.is_finite, data);
        break;
      default:
        ask(session, model.is_finite, data);
    }
  }
  return 0;
}
