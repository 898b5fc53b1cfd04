#include "analysis/contributions.h"

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "analysis/alti_logit.h"
#include "analysis/decompx.h"
#include "analysis/explained_models.h"
#include "analysis/gradient.h"
#include "analysis/logit_attribution.h"
#include "analysis/token_shares.h"
#include "analysis/written_shares.h"

namespace bertscope {
namespace {

// Methods that carry vectors of tokens through the whole layer, whose norms stand after its parts.
bool isThroughNorms(Method method) {
  return method == Method::kGlobEnc || method == Method::kDecompX;
}

// Tells whether the method is defined for a model's layers. Errors: kNotAvailable.
Status checkLayers(Method method, const ModelConfig& config) {
  // Modarressi et al. 2022 follow no vector into the feed-forward network, only past it by the
  // residual sum. Without a norm after that sum, nothing would be left but what norm says.
  if (method == Method::kGlobEnc) {
    return checkLikeBert(config, "globenc differs from norm only by the second of them");
  }
  // Modarressi et al. 2023 give rules for the parts of an encoder like BERT, and none for gates or
  // RMS norms.
  if (method == Method::kDecompX) {
    return checkLikeBert(
        config, "decompx is defined for these, and for feed-forward networks without a gate");
  }
  // Value Zeroing computes the layer again, and takes no part through a norm.
  return method == Method::kValueZeroing ? Status() : checkAttentionNorms(config);
}

// Tells whether a decoder wrote the answer while it looked into the pass of `encoder`. Errors:
// kNotAvailable, kInvalidInput, kShapeMismatch.
Status checkWritten(const Session& decoder, const Answer& answer, const Session& encoder) {
  const std::string expected = "the explanation: expected ";
  if (!decoder.source()) {
    return Error{ErrorCode::kNotAvailable,
                 expected +
                     "the decoder of an encoder-decoder, found a model without cross "
                     "attention"};
  }
  if (!std::holds_alternative<WordAnswer>(answer)) {
    return Error{ErrorCode::kInvalidInput,
                 expected + "a word that a decoder wrote, found an answer of another kind"};
  }
  const auto read = encoder.hiddenStates(0, 0);
  if (!read.ok()) return read.error();
  const std::size_t tokens = decoder.source()->tokens(), found = encoder.length(0);
  if (tokens == found) return {};
  return Error{ErrorCode::kShapeMismatch,
               expected + "the encoder's pass of " + std::to_string(tokens) +
                   " tokens that the decoder looks into, found one of " + std::to_string(found)};
}

}  // namespace

std::optional<Method> methodFromName(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Method>, 10> kMethods{
      {{"norm", Method::kNorm},
       {"globenc", Method::kGlobEnc},
       {"alti", Method::kAlti},
       {"value-zeroing", Method::kValueZeroing},
       {"alti-logit", Method::kAltiLogit},
       {"alti-plus", Method::kAltiPlus},
       {"decompx", Method::kDecompX},
       {"gradient", Method::kGradient},
       {"integrated-gradients", Method::kIntegratedGradients},
       {"logit-attribution", Method::kLogitAttribution}}};
  for (const auto& [known, method] : kMethods) {
    if (known == name) return method;
  }
  return std::nullopt;
}

Result<std::unique_ptr<Explainer>> explain(const Session& session, std::size_t sequence,
                                           Method method, const Answer& answer,
                                           std::span<const std::int32_t> baseline,
                                           const Session* encoder) {
  if (encoder) {
    if (Status s = checkWritten(session, answer, *encoder); !s.ok()) return s.error();
  }
  if (method == Method::kGradient) return explainByGradient(session, sequence, answer, encoder);
  if (method == Method::kIntegratedGradients) {
    return explainByIntegration(session, sequence, answer, baseline, encoder);
  }
  if (encoder && (method == Method::kAltiPlus || method == Method::kValueZeroing)) {
    return explainByShares(session, sequence, method, answer, *encoder);
  }
  if (encoder || method == Method::kAltiPlus) {
    return Error{ErrorCode::kInvalidInput,
                 encoder
                     ? "the explanation: expected a method that follows cross attention, found "
                       "one that is defined for a model that reads one text"
                     : "alti-plus: expected the passes of an encoder and its decoder, found one "
                       "pass"};
  }
  if (method == Method::kLogitAttribution) return attributeLogit(session, sequence, answer);
  if (method == Method::kAltiLogit) return explainByAltiLogit(session, sequence, answer);
  const ModelConfig& config = session.weights().config;
  const bool is_encoder = !isThroughNorms(method) && !config.cross_attention;
  auto pass =
      FloatPass::create(session, sequence, is_encoder ? Explains::kEitherSide : Explains::kOneText);
  if (!pass.ok()) return pass.error();
  if (Status s = checkLayers(method, config); !s.ok()) return s.error();
  if (Status s = check(answer, session.weights(), pass.value().tokens()); !s.ok()) {
    return s.error();
  }
  std::unique_ptr<Explainer> explainer;
  if (method == Method::kDecompX) {
    explainer = std::make_unique<DecompX>(std::move(pass.value()), answer);
  } else {
    explainer = std::make_unique<TokenShares>(std::move(pass.value()), method, answer);
  }
  return explainer;
}

}  // namespace bertscope
