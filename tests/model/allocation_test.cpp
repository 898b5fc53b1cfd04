// Counts the allocations of the encoder, and lets the heap run out. Not built with sanitizers,
// which own these functions.
#include <cstdlib>
#include <limits>
#include <new>

#include "analysis/contributions.h"
#include "analysis/head_survey.h"
#include "analysis/pass_measures.h"
#include "model/session.h"
#include "model/weights_export.h"
#include "support/catch.h"
#include "support/golden.h"
#include "support/kernel_sets.h"

namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

std::size_t allocations = 0;
// The allocations of core/memory.h that succeed before the first fails.
std::size_t left = kNever;
// The size of the latest of them, in bytes.
std::size_t asked = 0;
// Large allocations that core/memory.h was not asked about before.
std::size_t unasked = 0;

// More than the lists of a small model take, and less than its tensors.
constexpr std::size_t kLarge = 1 << 15;

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

void* countedAllocation(std::size_t bytes) {
  ++allocations;
  if (bytes >= kLarge && aligned(bytes) != asked) ++unasked;
  if (void* memory = std::malloc(bytes)) return memory;
  std::abort();
}

}  // namespace

void* operator new(std::size_t bytes) { return countedAllocation(bytes); }
void* operator new[](std::size_t bytes) { return countedAllocation(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

// core/memory.h allocates with this one.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  if (left != kNever && left-- == 0) {
    left = kNever;
    return nullptr;
  }
  asked = aligned(bytes);
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

using namespace bertscope;
using namespace bertscope::test;

namespace {

using Tensors = std::map<std::string, GoldenTensor>;

// The first error of `results`.
template <typename... Results>
Status firstError(const Results&... results) {
  Status first;
  ((first = first.ok() && !results.ok() ? Status(results.error()) : std::move(first)), ...);
  return first;
}

Status load(WeightsBuilder& builder, const std::string& name, const GoldenTensor& tensor) {
  auto writer = builder.begin(name, tensor.dtype, tensor.shape);
  if (!writer.ok()) return writer.error();
  if (!writer.value()) return {};
  if (Status s = writer.value()->append(tensor.bytes); !s.ok()) return s;
  return builder.commit(std::move(*writer.value()));
}

Result<Weights> load(const ModelConfig& config, const Tensors& tensors, Precision precision) {
  auto builder = WeightsBuilder::create(config, precision);
  if (!builder.ok()) return builder.error();
  for (const auto& [name, tensor] : tensors) {
    if (Status s = load(builder.value(), name, tensor); !s.ok()) return s.error();
  }
  return builder.value().finish();
}

Status explainEverything(const Session& session) {
  for (const Method method :
       {Method::kNorm, Method::kGlobEnc, Method::kAlti, Method::kValueZeroing, Method::kDecompX}) {
    auto explainer = explain(session, 0, method, VectorAnswer{});
    if (!explainer.ok()) return explainer.error();
    for (;;) {
      const auto more = explainer.value()->step();
      if (!more.ok()) return more.error();
      if (!more.value()) break;
    }
  }
  return {};
}

// Loads a model, runs a text and asks for all that there is.
Status useEverything(const ModelConfig& config, const Tensors& tensors, const Batch& batch,
                     Precision precision) {
  auto weights = load(config, tensors, precision);
  if (!weights.ok()) return weights.error();
  Session session(std::move(weights.value()), kernels::simd128Kernels());
  Interventions changes;
  changes.heads = {{0, 0, 0.5f}};
  if (Status s = session.start(batch, changes); !s.ok()) return s;
  for (std::size_t l = 0; l < config.layers; ++l) {
    if (Status s = session.runLayer(l); !s.ok()) return s;
  }
  const std::size_t last = config.layers - 1;
  const Weights& its = session.weights();
  if (its.word_head) {
    const auto logits = session.wordLogits(0, config.layers, 1);
    if (!logits.ok()) return logits.error();
  }
  if (its.pooler) {
    if (const auto pooled = session.poolerOutput(0); !pooled.ok()) return pooled.error();
  }
  if (its.classifier) {
    if (const auto logits = session.classifierLogits(0, 0); !logits.ok()) return logits.error();
  }
  Status status =
      firstError(session.wordEmbeddings(batch.ids), normsOfPass(session, 0, last, 0),
                 normsOfPass(session, 0, last, std::nullopt), rolloutOfPass(session, 0, last));
  if (!status.ok()) return status;

  auto flow = flowOfPass(session, 0, last);
  if (!flow.ok()) return flow.error();
  if (const auto row = flow.value().row(1); !row.ok()) return row.error();
  if (Status s = explainEverything(session); !s.ok()) return s;

  auto survey = HeadSurvey::create(config.layers, config.heads, true);
  if (!survey.ok()) return survey.error();
  const std::vector<TokenClass> classes(batch.tokens());
  if (Status s = survey.value().add(session, 0, classes); !s.ok()) return s;
  const auto means = survey.value().statistics().means(HeadStatistic::kEntropy);
  const auto distances = survey.value().distances()->distances();
  if (!distances.ok()) return distances.error();
  status = firstError(means, mapOfDistances(distances.value().view()));
  if (!status.ok() || precision != Precision::kInt8) return status;

  const WeightsExport exported(session.weights());
  for (std::size_t i = 0; i < exported.tensors().size(); ++i) {
    if (const auto bytes = exported.bytes(i); !bytes.ok()) return bytes.error();
  }
  return {};
}

}  // namespace

TEST_CASE("wherever memory runs out, it is an error, and the next try succeeds") {
  const std::string model = GENERATE(as<std::string>(), "odd-sizes", "distilbert-sst");
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  const Tensors tensors = readSafetensors(model, "model.safetensors");
  const ModelConfig config = readConfig(model);
  const GoldenPass golden(model);
  const auto length = static_cast<std::size_t>(golden.lengths[0]);
  const Batch batch{std::span(golden.ids).first(length),
                    std::span(golden.token_types).first(length),
                    std::span(golden.lengths).first(1)};
  std::size_t failures = 0;
  for (;; ++failures) {
    left = failures;
    const Status status = useEverything(config, tensors, batch, precision);
    const bool ran_out = left == kNever;
    left = kNever;
    CAPTURE(model, precision, failures);
    REQUIRE(status.ok() == !ran_out);
    if (!ran_out) break;
    REQUIRE(status.error().code == ErrorCode::kOutOfMemory);
  }
  CHECK(failures > 3 * tensors.size());  // some of each tensor
}

TEST_CASE("no memory whose size a file or a text decides is taken without asking for it") {
  const ModelConfig config{.hidden_size = 8,
                           .layers = 2,
                           .heads = 2,
                           .intermediate_size = 16,
                           .positions = 512,
                           .token_types = 1,
                           .vocabulary = 40000};
  Weights places;
  places.config = config;
  places.layers.resize(config.layers);
  places.word_head.emplace();
  places.pooler.emplace();
  places.classifier.emplace();
  places.classifier->bias.resize(20000);
  Tensors tensors;
  for (const TensorSlot& slot : tensorSlots(places)) {
    tensors[slot.name] = {"F32", slot.shape(), std::vector<std::byte>(slot.rows * slot.cols * 4)};
  }
  const std::vector<std::int32_t> ids(300), lengths{300};
  for (const Precision precision : {Precision::kInt8, Precision::kFloat32}) {
    unasked = 0;
    const Status status = useEverything(config, tensors, {ids, ids, lengths}, precision);
    const std::size_t found = unasked;
    REQUIRE(status.ok());
    CHECK(found == 0);
  }
  unasked = 0;
  const std::vector<float> logits(40000);
  CHECK(unasked == 1);  // the counter works
}

TEST_CASE("a tensor that did not fit in memory is missing, and may come again") {
  const std::string name =
      GENERATE(as<std::string>(), "bert.embeddings.word_embeddings.weight",
               "bert.embeddings.position_embeddings.weight", "bert.embeddings.LayerNorm.bias");
  const std::string model = "odd-sizes";
  const Tensors tensors = readSafetensors(model, "model.safetensors");
  for (std::size_t succeed = 0; succeed < 2; ++succeed) {
    CAPTURE(name, succeed);
    auto builder = WeightsBuilder::create(readConfig(model), Precision::kInt8);
    left = succeed;
    const Status refused = load(builder.value(), name, tensors.at(name));
    left = kNever;
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kOutOfMemory);
    CHECK_THAT(refused.error().message, StartsWith(name + ": expected memory for shape ["));
    for (const auto& [other, tensor] : tensors) {
      if (other != name) REQUIRE(load(builder.value(), other, tensor).ok());
    }
    REQUIRE(load(builder.value(), name, tensors.at(name)).ok());
    CHECK(builder.value().finish().ok());

    auto without = WeightsBuilder::create(readConfig(model), Precision::kInt8);
    left = succeed;
    REQUIRE_FALSE(load(without.value(), name, tensors.at(name)).ok());
    left = kNever;
    for (const auto& [other, tensor] : tensors) {
      if (other != name) REQUIRE(load(without.value(), other, tensor).ok());
    }
    CHECK(without.value().finish().error().message == "the weights: missing " + name);
  }
}

TEST_CASE("a warm pass allocates nothing") {
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  CAPTURE(kernels->name);
  Session session(loadGolden("odd-sizes", Precision::kInt8), *kernels);
  const GoldenPass golden("odd-sizes");
  const auto run = [&] {
    bool ok = session.start(golden.batch()).ok();
    for (std::size_t l = 0; l < session.weights().layers.size(); ++l) {
      ok = session.runLayer(l).ok() && ok;
    }
    return ok;
  };
  allocations = 0;
  REQUIRE(run());
  CHECK(allocations > 0);  // the counter works
  allocations = 0;
  const bool ok = run();
  const std::size_t found = allocations;
  REQUIRE(ok);
  CHECK(found == 0);
}
